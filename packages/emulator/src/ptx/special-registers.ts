const scalars = new Set([
  'laneid',
  'warpid',
  'nwarpid',
  'smid',
  'nsmid',
  'gridid',
  'is_explicit_cluster',
  'cluster_ctarank',
  'cluster_nctarank',
  'lanemask_eq',
  'lanemask_le',
  'lanemask_lt',
  'lanemask_ge',
  'lanemask_gt',
  'clock',
  'clock_hi',
  'clock64',
  'globaltimer',
  'globaltimer_lo',
  'globaltimer_hi',
  'reserved_smem_offset_begin',
  'reserved_smem_offset_end',
  'reserved_smem_offset_cap',
  'total_smem_size',
  'aggr_smem_size',
  'dynamic_smem_size',
  'current_graph_exec',
]);
const vectors = new Set([
  'tid',
  'ntid',
  'ctaid',
  'nctaid',
  'clusterid',
  'nclusterid',
  'cluster_ctaid',
  'cluster_nctaid',
]);

/** Which special register of PTX ISA 9.0 (chapter "Special Registers") a name without `%` is, if any. */
export function specialRegisterShape(name: string): 'scalar' | 'vector' | undefined {
  if (vectors.has(name)) return 'vector';
  if (scalars.has(name) || /^(envreg\d+|pm\d(_64)?|reserved_smem_offset_[01])$/.test(name)) return 'scalar';
  return undefined;
}
