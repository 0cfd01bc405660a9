#include "models/common/limit_words.hpp"

namespace doorbell::model {

std::string_view explanation(Limit limit) {
  switch (limit) {
    case Limit::cpu: return "the cores have no time left";
    case Limit::shared_line: return "one core has it at a time, and the others wait for it";
    case Limit::threads: return "they hardly wait for I/O; more threads could use idle cores";
    case Limit::connections:
      return "each queue pair has one thread, which hardly waits; more queue pairs, and threads for them, would share "
             "its work";
    case Limit::completion_handler:
      return "it takes one completion after another; more queue pairs or completion queues would have handlers of "
             "their own";
    case Limit::mmio_bandwidth: return "WQEs written by MMIO fill the link towards the NIC, or use up its credits";
    case Limit::dma_bandwidth: return "DMA fills the link";
    case Limit::nic: return "the NIC's pipeline takes no more messages";
    case Limit::nic_unit:
      return "the queue pairs in use keep their processing units busy; more queue pairs would use more units";
    case Limit::nic_memory:
      return "the NIC reads again what did not fit into its memory; less in flight or fewer queue pairs and regions "
             "would fit";
    case Limit::read_states:
      return "the NIC reads again what it has had to forget of READs under way; fewer READs in flight would fit";
    case Limit::network_bandwidth: return "packets fill the network ports";
    case Limit::one_port:
      return "packets fill one port of the NIC, which has another that is not half as busy; queue pairs on all ports "
             "(\"ports\": \"all\"), or more threads, would use both";
    case Limit::bus_bandwidth: return "data fills it, in both directions together";
    case Limit::link_bandwidth: return "data fills it";
    case Limit::disk_heads: return "the disks seek, wait for the sector, and read or write";
    case Limit::device: return "it has one request after the other, each until its last byte has moved";
    case Limit::pollers:
      return "loops that poll for ever keep all cores, and who has work waits for a turn; fewer of them, or events "
             "instead, would leave cores free";
    case Limit::one_by_one:
      return "one process makes one request after the other, and only fewer or shorter ones would help";
    case Limit::told_late:
      return "operations that are done keep their places until the CQE of a later one tells; a smaller signal_every "
             "would tell sooner";
    case Limit::taken_late:
      return "most of that time its operations are done, and wait for a thread that has been woken, or is busy, to "
             "take them";
    case Limit::asleep:
      return "much of that time its requests have come to threads that sleep, and wait until these have been woken; "
             "polling (\"mode\": \"busy\") would spare them that, and with a larger window more of them would share "
             "a wake-up";
    case Limit::busy_threads:
      return "requests come unevenly, and wait for one that is busy with others; with more threads fewer wait for "
             "each, and fixed destinations or a shared queue (\"shared_queues\") spread them evenly over several";
    case Limit::unevenly_busy_threads:
      return "requests are divided among fixed ones (\"destination\": \"fixed\"), some of which have more of them than "
             "others, or have them all; \"round_robin\" or \"random\" would share them";
    case Limit::one_busy_thread:
      return "requests come while it is busy with others, and wait; more threads would share them, and less work on "
             "each request would let the next ones begin sooner";
    case Limit::taken_in_batches:
      return "much of that time what is in it is done, and waits for its completion handler, which finishes whole "
             "batches; smaller ones, another polling mode or a larger window may help";
    case Limit::in_flight: return "all are taken by requests that wait for one resource after another";
    case Limit::own_completions:
      return "threads wait for completions of what they have posted before they post more; more queue pairs, or deeper "
             "ones with a larger signal_every, would let them go on";
    case Limit::signaled_rounds:
      return "before the last WQE of a round is posted, the one of that round that is signaled must be done; other "
             "rounds (signal_every), or CQEs polled as operations are awaited (\"poll\": \"when_awaited\"), would let "
             "threads go on";
    case Limit::nic_unit_waits:
      return "they always have WQEs, which they process, wait for or cannot pass on yet; more queue pairs would "
             "use more units";
    case Limit::outstanding_reads:
      return "the NIC sends no more READs or atomics of a queue pair until earlier ones are back; more queue pairs "
             "would have more under way";
    case Limit::pcie_round_trip: return "each atomic holds its lock for a PCIe round trip, and others wait for it";
    case Limit::read_tags: return "each read under way takes a tag until its data are in the device";
    case Limit::credits: return "the root complex takes no more before it is done with earlier ones";
    case Limit::receive_buffer:
      return "packets wait for room in the receiver's buffer, until earlier ones are in its memory and their credits "
             "are back";
    case Limit::page_walks:
      return "the IOMMU's cache holds too few pages; larger pages or a smaller window would need fewer walks";
    case Limit::arrivals: return "no more arrive, and those that do are served";
    case Limit::recvs:
      return "requests find no RECV, and their queue pairs wait before they send them again; more RECVs or a faster "
             "receiver would take them at once";
    case Limit::scheduler:
      return "it passes on requests of one process at a time, and keeps the disks idle until that asks again; "
             "\"scheduler\": \"deadline\" would not";
    case Limit::drive: return "the drives do no more; more of them would share the load";
  }
  return "";
}

std::string_view name_of(Limit limit) {
  switch (limit) {
    case Limit::cpu:
    case Limit::pollers:
    case Limit::shared_line: return "CPU";
    case Limit::threads:
    case Limit::connections:
    case Limit::busy_threads:
    case Limit::unevenly_busy_threads:
    case Limit::one_busy_thread: return "threads";
    case Limit::completion_handler: return "completions";
    case Limit::mmio_bandwidth: return "MMIO bw";
    case Limit::dma_bandwidth: return "DMA bw";
    case Limit::nic: return "NIC";
    case Limit::nic_unit: return "NIC PU";
    case Limit::nic_unit_waits: return "NIC PU waits";
    case Limit::outstanding_reads: return "READs";
    case Limit::nic_memory: return "NIC memory";
    case Limit::read_states: return "READ states";
    case Limit::network_bandwidth:
    case Limit::one_port: return "IB bw";
    case Limit::pcie_round_trip: return "PCIe RTT";
    case Limit::bus_bandwidth: return "bus bw";
    case Limit::link_bandwidth: return "link bw";
    case Limit::disk_heads: return "disks";
    case Limit::device: return "device";
    case Limit::in_flight:
    case Limit::one_by_one:
    case Limit::told_late:
    case Limit::taken_late:
    case Limit::asleep:
    case Limit::taken_in_batches: return "in flight";
    case Limit::own_completions: return "send queues";
    case Limit::signaled_rounds: return "rounds";
    case Limit::read_tags: return "PCIe tags";
    case Limit::credits: return "PCIe credits";
    case Limit::page_walks: return "IOMMU";
    case Limit::drive: return "drives";
    case Limit::scheduler: return "I/O scheduler";
    case Limit::arrivals: return "arrivals";
    case Limit::recvs: return "RECVs";
    case Limit::receive_buffer: return "receive buffer";
  }
  return "";
}

}  // namespace doorbell::model
