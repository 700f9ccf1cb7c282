/**
 * A symbol tag for kernels with a parameter TAGGED: ptxas schedules a function otherwise where its symbol contains the
 * word "cutlass" (seen with ptxas 13.0).
 */
export const taggedSymbol = ({ TAGGED }: { readonly TAGGED: boolean }): string => (TAGGED ? 'cutlass' : '');
