// warptiling-v10: warptiling-v9, whose source this is, under a symbol that contains the word "cutlass".

#include "../warptiling-v9/kernel.cu"
