#include "scenario/document.hpp"

namespace doorbell::scenario {

const Form& document_form(const Node& tree) {
  static const Form programs = form_of<Document>();
  static const Form storage = form_of<StorageDocument>();
  static const Form remote_memory = form_of<RemoteMemoryDocument>();
  static const Form transfers = form_of<TransferDocument>();
  static const Form shared_files = form_of<SharedFilesDocument>();
  static const Form dma = form_of<DmaDocument>();
  if (tree.find(keys::remote_memory) != nullptr) return remote_memory;
  if (tree.find(keys::transfers) != nullptr) return transfers;
  if (tree.find(keys::shared_files) != nullptr) return shared_files;
  if (tree.find(keys::dma) != nullptr) return dma;
  return tree.find(keys::storage) != nullptr ? storage : programs;
}

}  // namespace doorbell::scenario
