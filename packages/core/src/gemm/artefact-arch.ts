import { archNumber } from './refusal.js';

/** How far code reaches beyond the architecture that it names; the last letter of the name says so. */
function scopeOf(arch: string): 'portable' | 'family' | 'specific' {
  if (/\da$/.test(arch)) return 'specific';
  return /\df$/.test(arch) ? 'family' : 'portable';
}

/**
 * Whether a device runs an artefact (CUDA C++ programming guide, compute capabilities). Machine code is taken of the
 * device's own architecture only. PTX goes on to newer ones, unless its name ends with `a`, as `compute_90a`: it uses
 * what only that architecture has; or with `f`: that family only, which is the same major version.
 */
export function runsOn(
  artefact: { readonly format: 'cubin' | 'ptx'; readonly arch: string },
  device: string,
): boolean {
  const built = archNumber(artefact.arch);
  const own = archNumber(device);
  const scope = scopeOf(artefact.arch);
  if (artefact.format === 'cubin' || scope === 'specific') return built === own;
  return built <= own && (scope === 'portable' || Math.floor(built / 10) === Math.floor(own / 10));
}

/** For sorting: what fits a device best comes first. Newer before older, and what uses more of it before what is portable. */
export function byFit(x: { readonly arch: string }, y: { readonly arch: string }): number {
  const rank = { portable: 0, family: 1, specific: 2 };
  return archNumber(y.arch) - archNumber(x.arch) || rank[scopeOf(y.arch)] - rank[scopeOf(x.arch)];
}
