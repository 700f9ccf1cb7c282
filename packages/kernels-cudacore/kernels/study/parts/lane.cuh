#pragma once

namespace study {

/// Where a thread's patch starts in its block's tile, and how it is dealt out: in runs of 4 rows and 4 columns, so that
/// lanes that are neighbours read what lies side by side, and at most two of them write to one sector. A warp's 32
/// lanes are numbered in pairs: lanes 0 and 1 lie one below the other, 2 and 3 to the right of them; the second half of
/// the warp lies below the first.
template <class P>
struct lane_patch {
  static constexpr int run = 4;
  static constexpr int down = P::WM / P::TM;  // lanes of a warp
  static constexpr int across = P::WN / P::TN;
  static_assert(down * across == 32 && down % 2 == 0, "One lane computes one patch, and lanes lie in pairs");
  static_assert(P::threads == P::BM / P::WM * (P::BN / P::WN) * 32, "One warp computes one warp tile");

  unsigned y;  // row
  unsigned x;  // column

  __device__ __forceinline__ explicit lane_patch(unsigned thread) {
    const unsigned warp = thread / 32;
    const unsigned lane = thread % 32;
    y = warp / (P::BN / P::WN) * P::WM + (lane / (2 * across) * 2 + lane % 2) * run;
    x = warp % (P::BN / P::WN) * P::WN + lane % (2 * across) / 2 * run;
  }
};

}  // namespace study
