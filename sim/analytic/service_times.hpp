// What one operation, or one use of a resource, takes: the entries of the demands (see demand.hpp).
#pragma once

#include <optional>

#include "analytic/flow.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::analytic {

/// Whether an operation of a post ends with an answer that its thread polls a CQE for.
[[nodiscard]] bool ends_by_answer_with_cqe(const Flow& flow, const PostFlow& post);

/// CPU time to see that a relayed operation is done, and to handle that; the CQE of one that nobody answers is in its
/// path.
[[nodiscard]] Time return_time(const Flow& flow, const ProgramFlow& from, const PostFlow& post);

/// The path that the work requests of a post take between these two programs when a call has `batch` of them.
[[nodiscard]] model::VerbPath path_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post, int batch);

/// WQEs that one DMA read brings when the send queue is full of calls of `batch` WQEs.
[[nodiscard]] int wqes_per_fetch(const model::NicParameters& nic, int batch, int depth);

/// How many operations may hold a lock at a time, at most: as many as there are distinct locks that the words of a
/// region fall on, which the low `address_bits` bits of an address choose (Kalia et al. 2016, section 5.4), or fewer
/// where everybody wants the same. Without a region, one word is shared by all.
[[nodiscard]] double lock_servers(const std::optional<model::Region>& region, int address_bits);

/// Share of the requests that a program collects that have taken a RECV; 1 of one that collects none.
[[nodiscard]] double taking_recvs(const Flow& flow, const ProgramFlow& program);

/// Translations that one operation of `post` has fetched at the receiver, on average. Random accesses find as many of a
/// region's pages translated as the NIC keeps; others wait for a fetch, but those of a page for which another one waits
/// need none of their own. What is popular stays: how much of that the NIC holds depends on where it lies, so of skewed
/// accesses none counts.
[[nodiscard]] double translations_missing(const Flow& flow, const ProgramFlow& to, const PostFlow& post);

/// From when a packet takes its place in a receiver's buffer until its sender knows that it is free again, at least.
[[nodiscard]] Time receive_buffer_round_trip(const Flow& flow);
/// Whether the wire could bring more in that time than a port's buffer holds.
[[nodiscard]] bool receive_buffer_is_short(const Flow& flow, const model::PortParameters& port);

/// Mean time of an atomic increment of a line that `threads` hardware threads of a die with so many cores modify in
/// turn: with more than one, the previous owner is equally likely any of the others.
[[nodiscard]] Time shared_line_time(const model::SharedLineParameters& line, int threads, int cores);

/// Mean time until a thread has the lock of a completion or receive queue that it shares, and nobody else wants it.
/// Nothing if it has a queue of its own.
[[nodiscard]] Time queue_lock_time(const ProgramFlow& program);

}  // namespace doorbell::analytic
