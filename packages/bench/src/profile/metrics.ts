import { OPCODES } from './opcode-metric.js';
import { stallMetric, stallReasons } from './stalls.js';

/** A figure of ncu by its name there, in base units (bytes, nanoseconds, per cent); undefined where there is none. */
export type Figures = (ncuName: string) => number | undefined;

/** A figure of a profile, and where it comes from. */
export interface ProfileMetric {
  readonly name: string;
  /** Heading of a column. */
  readonly title: string;
  readonly unit: string;
  readonly meaning: string;
  /** Where it was published of kernels such as these, for people. */
  readonly seenIn?: string;
  /** What is asked of ncu; all of them are needed, unless `of` does without. */
  readonly asks: readonly string[];
  readonly of: (figures: Figures) => number | undefined;
}

type Described = Pick<ProfileMetric, 'title' | 'unit' | 'meaning' | 'seenIn'>;

function metric(name: string, asks: readonly string[], of: ProfileMetric['of'], described: Described) {
  return { name, asks, of, ...described };
}

/** As ncu has it, times a factor. */
function plain(name: string, ask: string, described: Described, factor = 1): ProfileMetric {
  const of = (figures: Figures) => {
    const value = figures(ask);
    return value === undefined ? undefined : value * factor;
  };
  return metric(name, [ask], of, described);
}

/** The sum of figures of which the first must be there; a GPU without asynchronous copies lacks the second. */
function sum(name: string, ask: string, more: string, described: Described): ProfileMetric {
  const of = (figures: Figures) => {
    const value = figures(ask);
    return value === undefined ? undefined : value + (figures(more) ?? 0);
  };
  return metric(name, [ask, more], of, described);
}

/** One figure as per cent of another; 0 of nothing is 0. */
function percentOf(name: string, part: string, whole: string, described: Described): ProfileMetric {
  const of = (figures: Figures) => {
    const [above, below] = [figures(part), figures(whole)];
    if (above === undefined || below === undefined) return undefined;
    return below === 0 ? 0 : (100 * above) / below;
  };
  return metric(name, [part, whole], of, described);
}

const LATENCY = 'smsp__average_warp_latency_per_inst_issued.ratio';
const L2_EXCESS = 'derived__memory_l2_theoretical_sectors_global_excessive';
const SHARED_EXCESS = 'derived__memory_l1_wavefronts_shared_excessive';

const scheduling: readonly ProfileMetric[] = [
  plain('issue.warpsPerScheduler', 'smsp__issue_active.avg.per_cycle_active', {
    title: 'issued',
    unit: 'warps/cycle',
    meaning: 'Instructions that a scheduler issues in a cycle; 1 is the most.',
    seenIn: 'the study, every step',
  }),
  plain('issue.active', 'smsp__issue_active.avg.pct_of_peak_sustained_active', {
    title: 'issue active',
    unit: '%',
    meaning: 'Cycles in which a scheduler issued.',
    seenIn: 'the article on prefetching and Stream-K; the study',
  }),
  plain('issue.noEligible', 'smsp__issue_inst0.avg.pct_of_peak_sustained_active', {
    title: 'no eligible',
    unit: '%',
    meaning: 'Cycles in which a scheduler found no warp that could go on.',
    seenIn: 'the study, every step',
  }),
  plain('warps.active', 'smsp__warps_active.avg.per_cycle_active', {
    title: 'active',
    unit: 'warps',
    meaning: 'Warps that a scheduler holds.',
    seenIn: 'the article on Stream-K',
  }),
  plain('warps.eligible', 'smsp__warps_eligible.avg.per_cycle_active', {
    title: 'eligible',
    unit: 'warps',
    meaning: 'Of these, those that could issue.',
  }),
  plain('stall.cyclesPerIssue', LATENCY, {
    title: 'cycles/issue',
    unit: 'cycles',
    meaning: 'Cycles from one instruction of a warp to its next, the one in which it is issued included.',
    seenIn: 'the article on Stream-K',
  }),
  percentOf('stall.longScoreboardShare', stallMetric('long_scoreboard'), LATENCY, {
    title: 'long scoreboard',
    unit: '%',
    meaning: 'Share of those cycles spent waiting for global or local memory.',
    seenIn: 'the article on stages',
  }),
  plain('sm.active', 'sm__cycles_active.avg.pct_of_peak_sustained_elapsed', {
    title: 'SMs active',
    unit: '%',
    meaning:
      'Cycles in which a multiprocessor had a warp at all; what is missing is the tail of the last wave.',
  }),
  plain('occupancy.achieved', 'sm__warps_active.avg.pct_of_peak_sustained_active', {
    title: 'occupancy',
    unit: '%',
    meaning: 'Resident warps, of the most there can be, on average.',
    seenIn: 'the study',
  }),
  plain('launch.registers', 'launch__registers_per_thread', {
    title: 'registers',
    unit: '',
    meaning: 'Registers that a thread is given.',
    seenIn: 'the article on address arithmetic; the study',
  }),
  plain('launch.waves', 'launch__waves_per_multiprocessor', {
    title: 'waves',
    unit: '',
    meaning: 'How often the GPU is filled with blocks.',
  }),
];

const instructions: readonly ProfileMetric[] = [
  plain('instructions.executed', 'smsp__inst_executed.sum', {
    title: 'instructions',
    unit: '',
    meaning: 'Machine instructions executed, one for each warp.',
    seenIn: 'the article on spread copies and Stream-K',
  }),
  plain('instructions.ffma', 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', {
    title: 'FFMAs',
    unit: '',
    meaning: 'FP32 multiply-adds, one for each thread.',
  }),
];

const memory: readonly ProfileMetric[] = [
  plain('l2.hitRate', 'lts__t_sector_hit_rate.pct', {
    title: 'L2 hit',
    unit: '%',
    meaning: 'Sectors that the L2 cache had, of all that were asked of it.',
    seenIn: 'the article on block order; the study',
  }),
  plain('l2.readHitRate', 'lts__t_sector_op_read_hit_rate.pct', {
    title: 'L2 read hit',
    unit: '%',
    meaning: 'The same of reads alone.',
  }),
  plain('l2.readSectors', 'lts__t_sectors_srcunit_tex_op_read.sum', {
    title: 'L2 reads',
    unit: 'sectors',
    meaning: 'Sectors of 32 bytes that multiprocessors read from the L2 cache.',
  }),
  plain('dram.readBytes', 'dram__bytes_read.sum', {
    title: 'DRAM read',
    unit: 'bytes',
    meaning: 'Bytes read from DRAM.',
    seenIn: 'the article on block order and the roofline',
  }),
  plain('dram.writtenBytes', 'dram__bytes_write.sum', {
    title: 'DRAM written',
    unit: 'bytes',
    meaning: 'Bytes written to DRAM.',
    seenIn: 'the article on the roofline',
  }),
  plain('dram.bytesPerSecond', 'dram__bytes.sum.per_second', {
    title: 'DRAM rate',
    unit: 'bytes/s',
    meaning: 'Both, divided by the duration under the profiler.',
    seenIn: 'the study',
  }),
  plain('l2.excessiveSectors', L2_EXCESS, {
    title: 'L2 excess',
    unit: 'sectors',
    meaning:
      'Sectors that global accesses ask for beyond what their addresses need. ncu prints them as bytes: ' +
      'its MB are millions of sectors.',
    seenIn: 'the study',
  }),
  percentOf('global.uncoalesced', L2_EXCESS, 'memory_l2_theoretical_sectors_global', {
    title: 'uncoalesced',
    unit: '%',
    meaning: 'These, of all sectors that global accesses ask for.',
    seenIn: 'the study',
  }),
  plain('global.load.bytesPerSector', 'smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio', {
    title: 'load B/sector',
    unit: 'bytes',
    meaning: 'Bytes used of each sector that is loaded; 32 is all of it. Asynchronous copies are not in it.',
    seenIn: 'the study',
  }),
  plain('global.store.bytesPerSector', 'smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio', {
    title: 'store B/sector',
    unit: 'bytes',
    meaning: 'The same of stores.',
    seenIn: 'the study',
  }),
  sum(
    'global.load.requests',
    'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
    'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum',
    {
      title: 'load requests',
      unit: 'requests',
      meaning: 'Loads of global memory by a warp, asynchronous copies included.',
    },
  ),
  sum(
    'global.load.sectors',
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum',
    { title: 'load sectors', unit: 'sectors', meaning: 'Sectors that they ask for.' },
  ),
  plain('global.store.requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum', {
    title: 'store requests',
    unit: 'requests',
    meaning: 'Stores to global memory by a warp.',
  }),
  plain('global.store.sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum', {
    title: 'store sectors',
    unit: 'sectors',
    meaning: 'Sectors that they write.',
  }),
];

const shared: readonly ProfileMetric[] = [
  plain('shared.load.requests', 'smsp__inst_executed_op_shared_ld.sum', {
    title: 'LDS',
    unit: 'requests',
    meaning: 'Loads of shared memory by a warp.',
    seenIn: 'the article on larger patches',
  }),
  plain('shared.load.wavefronts', 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', {
    title: 'LDS wavefronts',
    unit: 'wavefronts',
    meaning: 'Passes through the banks that they take.',
  }),
  plain('shared.load.bankConflicts', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum', {
    title: 'LDS conflicts',
    unit: 'wavefronts',
    meaning: 'Of these, those that bank conflicts and arbitration add.',
  }),
  plain('shared.store.requests', 'smsp__inst_executed_op_shared_st.sum', {
    title: 'STS',
    unit: 'requests',
    meaning: 'Stores to shared memory by a warp.',
  }),
  plain('shared.store.wavefronts', 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum', {
    title: 'STS wavefronts',
    unit: 'wavefronts',
    meaning: 'Passes through the banks that they take.',
  }),
  plain('shared.store.bankConflicts', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum', {
    title: 'STS conflicts',
    unit: 'wavefronts',
    meaning: 'Of these, those that bank conflicts and arbitration add.',
  }),
  percentOf('shared.excessive', SHARED_EXCESS, 'memory_l1_wavefronts_shared', {
    title: 'shared excess',
    unit: '%',
    meaning: 'Passes of all shared accesses beyond what their addresses need, of all passes.',
    seenIn: 'the study',
  }),
];

const profiler: readonly ProfileMetric[] = [
  plain(
    'profiled.us',
    'gpu__time_duration.sum',
    {
      title: 'profiled',
      unit: 'µs',
      meaning: 'Duration under the profiler. It is no benchmark, and is never set beside one.',
      seenIn: 'the article on block order',
    },
    1e-3,
  ),
];

/** Every figure of a profile: its names, its unit and its meaning stand here and nowhere else. */
export const profileMetrics: readonly ProfileMetric[] = [
  ...scheduling,
  ...instructions,
  ...memory,
  ...shared,
  ...profiler,
];

/** All that is asked of ncu, each name once. */
export const askedMetrics: readonly string[] = [
  ...new Set([...profileMetrics.flatMap(({ asks }) => asks), ...stallReasons.map(stallMetric), OPCODES]),
];
