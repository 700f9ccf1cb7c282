#pragma once

#include <ffma/async_copy.cuh>
#include <ffma/index.cuh>
#include <ffma/shared_vec.cuh>

namespace hopper {

/// A ring of stages that all threads fill by cp.async, 16 bytes at a time. A stage is eight steps of B and as large a share
/// of A's rows, several times: its parts, as many as the loop that goes on meanwhile has runs. A's tile lies along k under
/// the swizzle that the tensor memory accelerator has. A thread copies the same pieces of each part, so that its pointers
/// and places go on by fixed strides: few registers, where sums and fragments leave few.
template <class P>
class copied_ring {
  static constexpr int a_pieces = P::STEPS / 4;  // of 16 bytes, of a row
  static constexpr int b_pieces = P::BN / 4;
  static constexpr int a_rows = P::threads / a_pieces;  // that all threads copy at once
  static constexpr int b_rows = P::threads / b_pieces;
  static constexpr unsigned at_once = P::threads * 16;
  static_assert(P::STEPS == 32 || P::STEPS == 16, "A row of A's tile is as long as its swizzle is wide, 128 or 64 bytes");
  static_assert(P::threads % a_pieces == 0 && P::threads % b_pieces == 0, "A thread copies the same piece of each row");
  static_assert(a_rows % 8 == 0, "The swizzle is the same for all rows of a thread");

 public:
  static constexpr int parts = P::STEPS / 8;
  static constexpr int a_copies = P::BM / a_rows / parts;  // of a thread, of a part
  static constexpr int b_copies = 8 / b_rows;
  static constexpr int copies = a_copies + b_copies;
  static constexpr int rows_of_part = a_copies * a_rows;
  static_assert(rows_of_part * parts == P::BM && b_copies * b_rows == 8, "Every thread has as many copies in each part");
  static_assert(rows_of_part % P::WM == 0, "A warp's rows are in one part");

  static constexpr unsigned part_bytes = copies * at_once;
  static constexpr unsigned stage_bytes = parts * part_bytes;
  static constexpr unsigned bytes = P::STAGES * stage_bytes;

  /// Where row y of A's tile begins in a stage, piece 0 by the swizzle: piece p is at this exclusive or 16 p.
  static __device__ __forceinline__ unsigned a_place(unsigned y) {
    return y / rows_of_part * part_bytes + y % rows_of_part * (P::STEPS * 4) + mixed_in(y) * 16;
  }

  /// Where column x of B's tile begins in a part. Its eight steps lie BN floats apart.
  static __device__ __forceinline__ unsigned b_place(unsigned x) { return a_copies * at_once + x * 4; }

  /// The ring begins at `first` in shared memory; `tile` is the origin of the block's tile of C. All threads of a block call
  /// this. Where rows of A or columns of B are missing, zeros are laid out once, and nothing is copied there.
  __device__ __forceinline__ copied_ring(unsigned first, const float* a, const float* b, ffma::tile_origin tile, int m, int n,
                                         int lda, int ldb)
      : lda_(lda), ldb_(ldb), to_(first + threadIdx.x * 16) {
    const unsigned row = threadIdx.x / a_pieces;
    const unsigned piece = threadIdx.x % a_pieces;
    const unsigned x = threadIdx.x % b_pieces * 4;
    const unsigned rows = static_cast<unsigned>(m) - tile.row;
    const unsigned cols = static_cast<unsigned>(n) - tile.col;
    // Where the thread's piece lies by the swizzle, and so which it copies there: the places of a part are filled in order.
    const unsigned swizzled = piece ^ mixed_in(row);
    a_from_ = a + ffma::element_offset(tile.row + row, swizzled * 4, lda);
    b_from_ = b + ffma::element_offset(threadIdx.x / b_pieces, tile.col + x, ldb);
    a_left_ = static_cast<int>(rows < P::BM ? rows : P::BM) - static_cast<int>(row);
    a_col_ = swizzled * 4;
    b_cols_ = x >= cols ? 0 : cols - x < 4 ? cols - x : 4;
    if (rows < P::BM || cols < P::BN) {
      const float zeros[4] = {};
#pragma unroll 1
      for (unsigned at = 0; at < bytes; at += at_once) ffma::store_shared4(to_ + at, zeros);
      __syncthreads();
    }
  }

  /// Starts copy number i of a part.
  __device__ __forceinline__ void start(int i) {
    if (i < a_copies) {
      if (a_left_ > i * a_rows) ffma::copy4_async(to_ + i * at_once, a_from_);
      a_from_ = rows_on<a_rows>(a_from_, lda_);
    } else {
      if (b_whole_) ffma::copy4_async(to_ + i * at_once, b_from_);
      b_from_ = rows_on<b_rows>(b_from_, ldb_);
    }
  }

  /// Goes on to the next part of the same stage.
  __device__ __forceinline__ void next_part() {
    to_ += part_bytes;
    a_left_ -= rows_of_part;
  }

  /// Goes on from the last part of a stage to the first of `stage`; the place behind the last one is the first.
  __device__ __forceinline__ void next_stage(unsigned stage) {
    a_from_ = rows_on<-P::BM>(a_from_, lda_) + P::STEPS;
    a_left_ += P::BM;
    if (stage % P::STAGES == 0) to_ -= bytes;
  }

  /// Columns of B that are no four any more are copied float by float, all of a stage at once.
  __device__ __forceinline__ void start_odd_columns() {
    b_whole_ = b_cols_ == 4;
    if (b_cols_ > 0 && !b_whole_) start_b(P::STEPS);
  }

  /// Starts `steps` steps, fewer than a stage has, behind the last whole stage; from here on `start` copies nothing. A row of
  /// A need not end at 16 bytes, so that A is copied float by float.
  __device__ __forceinline__ void start_rest(unsigned steps) {
    const float* from = a_from_;
#pragma unroll 1
    for (int i = 0; i < a_copies * parts; ++i) {
      const unsigned to = to_ + i / a_copies * part_bytes + i % a_copies * at_once;
#pragma unroll 1
      for (unsigned e = 0; e < 4 && a_col_ + e < steps; ++e) {
        if (a_left_ > i * a_rows) ffma::copy1_async(to + e * 4, from + e);
      }
      from = rows_on<a_rows>(from, lda_);
    }
    start_b(steps);
  }

  /// From here on, `start` copies nothing.
  __device__ __forceinline__ void stop() {
    a_left_ = -(1 << 30);
    b_whole_ = false;
  }

 private:
  // What the swizzle mixes into the pieces of row y: the number of the 128 bytes that it is in, of 8, or of 4 where two rows
  // share 128 bytes.
  static __device__ __forceinline__ unsigned mixed_in(unsigned y) { return P::STEPS == 32 ? y % 8 : y / 2 % 4; }

  // The element `rows` rows behind `from`, or before it where that is negative.
  template <int rows>
  static __device__ __forceinline__ const float* rows_on(const float* from, int ld) {
    constexpr unsigned bytes = (rows < 0 ? -rows : rows) * 4;
    const unsigned long long stride = static_cast<unsigned long long>(static_cast<unsigned>(ld)) * bytes;
    return reinterpret_cast<const float*>(reinterpret_cast<unsigned long long>(from) + (rows < 0 ? -stride : stride));
  }

  // Starts B's next `steps` steps float by float, those that are the thread's.
  __device__ __forceinline__ void start_b(unsigned steps) const {
    const float* from = b_from_;
#pragma unroll 1
    for (unsigned i = 0; i * b_rows + threadIdx.x / b_pieces < steps; ++i) {
      const unsigned to = to_ + i / b_copies * part_bytes + (a_copies + i % b_copies) * at_once;
#pragma unroll 1
      for (unsigned e = 0; e < b_cols_; ++e) ffma::copy1_async(to + e * 4, from + e);
      from = rows_on<b_rows>(from, ldb_);
    }
  }

  const int lda_;
  const int ldb_;
  const float* a_from_;
  const float* b_from_;
  unsigned to_;
  int a_left_;       // rows of A's tile from the thread's first one of the part on
  unsigned a_col_;   // of A's tile, where the thread's piece begins
  unsigned b_cols_;  // of the thread's piece of B's rows, that there are
  bool b_whole_ = false;
};

}  // namespace hopper
