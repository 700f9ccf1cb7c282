// The calls that row-major GEMMs become. cuBLAS is column-major: what it takes for an n×m matrix is our m×n, transposed.
#pragma once

#include "handle.h"

namespace ffma {

/// A row-major matrix in device memory.
struct Matrix {
  const float* data = nullptr;
  int ld = 1;
};

/// C = alpha·A·B + beta·C, row-major, as C^T = alpha·B^T·A^T + beta·C^T.
class SgemmCall : public Call {
 public:
  SgemmCall(cublasMath_t math, int m, int n, int k, float alpha, Matrix a, Matrix b, float beta, Matrix c)
      : Call(math), m_(m), n_(n), k_(k), alpha_(alpha), beta_(beta), a_(a), b_(b), c_(c) {}

  const char* name() const override { return "cublasSgemm"; }
  cublasStatus_t run(const CublasApi& api, cublasHandle_t handle) const override {
    return api.Sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n_, m_, k_, &alpha_, b_.data, b_.ld, a_.data, a_.ld, &beta_,
                     const_cast<float*>(c_.data), c_.ld);
  }

 private:
  int m_, n_, k_;
  float alpha_, beta_;
  Matrix a_, b_, c_;
};

/// C = beta·C in place, and zero without reading C where beta is 0: uses that cublasSgeam documents.
class ScaleCall : public Call {
 public:
  ScaleCall(cublasMath_t math, int m, int n, float beta, Matrix c) : Call(math), m_(m), n_(n), beta_(beta), c_(c) {}

  const char* name() const override { return "cublasSgeam"; }
  cublasStatus_t run(const CublasApi& api, cublasHandle_t handle) const override {
    static constexpr float zero = 0.0f;
    return api.Sgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, n_, m_, &beta_, c_.data, c_.ld, &zero, c_.data, c_.ld,
                     const_cast<float*>(c_.data), c_.ld);
  }

 private:
  int m_, n_;
  float beta_;
  Matrix c_;
};

}  // namespace ffma
