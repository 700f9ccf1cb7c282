"""Profiles the launches that ncu-plan.mjs has prepared by Nsight Compute, and sets its counters beside the emulator's.

usage: python3 ncu-compare.py PLAN_FOLDER OUT_FOLDER

Writes OUT/ncu.csv (what ncu said), OUT/comparison.json and OUT/comparison.md. Needs ncu, numpy and libcuda. Clocks are
left alone (--clock-control none); caches are flushed before each launch, as the emulator's model assumes.
"""

import ctypes
import csv
import io
import json
import os
import shutil
import subprocess
import sys

METRICS = {
    "global.load.requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global.load.sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global.store.requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global.store.sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared.load.requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared.load.wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared.load.bankConflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared.store.requests": "smsp__inst_executed_op_shared_st.sum",
    "shared.store.wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared.store.bankConflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "instructions.ffma": "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "instructions.total": "smsp__thread_inst_executed.sum",
    "l2Model.readSectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2Model.readHitRate": "lts__t_sector_op_read_hit_rate.pct",
    "l2Model.dramReadBytes": "dram__bytes_read.sum",
    "l2Model.dramWrittenBytes": "dram__bytes_write.sum",
}
# Asynchronous copies are loads of their own to ncu. The emulator counts them among the loads of global memory.
COPIES = {
    "copies.sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
    "copies.requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum",
    "copies.sharedWavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
    "l2.hitRate": "lts__t_sector_hit_rate.pct",
    "shared.ideal": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum",
    "shared.sass": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum",
}
EXACT = [name for name in METRICS if not name.startswith("l2Model.") and name != "instructions.total"]


def run_launches(folder):
    """What ncu profiles: each launch of the plan once, on ones."""
    import numpy as np

    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from cuda_driver import Memory, check, cuda, load_function, open_device, launch

    open_device()
    for one in read_plan(folder):
        with open(os.path.join(folder, one["file"]), "rb") as file:
            function = load_function(file.read(), one["symbol"])
        m, n, k = one["m"], one["n"], one["k"]
        memory = {
            "a": Memory(np.ones(m * k, np.float32)),
            "b": Memory(np.ones(k * n, np.float32)),
            "c": Memory(np.zeros(m * n, np.float32)),
        }
        values = []
        for argument in one["args"]:
            if argument["type"] == "operand":
                values.append(memory[argument["operand"]].argument)
            else:
                make = {"i32": ctypes.c_int32, "i64": ctypes.c_int64, "f32": ctypes.c_float}[argument["type"]]
                values.append(make(argument["value"]))
        # 8: the most dynamic shared memory that a launch may ask for.
        check(cuda.cuFuncSetAttribute(function, 8, one["sharedBytes"]), "cuFuncSetAttribute")
        launch(function, one["grid"], one["block"], one["sharedBytes"], values)
        result = memory["c"].read()
        if not np.array_equal(result, np.full(m * n, k, np.float32)):
            sys.exit(f"{one['id']}: the product of ones is not k everywhere, so nothing of it is compared.")
        for each in memory.values():
            each.close()


def read_plan(folder):
    with open(os.path.join(folder, "plan.json"), encoding="utf8") as file:
        return json.load(file)["launches"]


def known_metrics():
    """Metrics that this ncu has for this GPU: others are left out and named."""
    wanted = {**METRICS, **COPIES}
    query = output_of(["ncu", "--query-metrics"])
    bases = {line.split()[0] for line in query.splitlines() if "__" in line.split(" ")[0]}
    if not bases:
        return wanted, []
    # `smsp__sass_…` metrics are collected by patching and are not always listed.
    known = {n: metric for n, metric in wanted.items() if metric.split(".")[0] in bases or "__sass_" in metric}
    return known, sorted(set(wanted.values()) - set(known.values()))


def profile(folder, out, metrics):
    """One row of figures for each launch of the plan, in its order."""
    command = ["ncu", "--clock-control", "none", "--cache-control", "all", "--csv", "--page", "raw", "--print-units", "base"]
    command += ["--metrics", ",".join(metrics.values())]
    done = subprocess.run(
        command + [sys.executable, os.path.abspath(__file__), "--launch", folder],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    with open(os.path.join(out, "ncu.csv"), "w", encoding="utf8") as file:
        file.write(done.stdout)
    if done.returncode != 0:
        sys.exit(f"ncu ended with {done.returncode}; see {out}/ncu.csv")
    return parse_csv(done.stdout, metrics)


def parse_csv(text, metrics):
    """ncu's raw page: lines of its own and the program's first, then a title row, a row of units and the launches."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        sys.exit("ncu printed no table.")
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[start:]))))
    launches = [row for row in rows if row["ID"] != ""]

    def number(row, metric):
        text = (row.get(metric) or "").replace(",", "")
        try:
            return float(text)
        except ValueError:
            return None

    return [
        {"kernel": row["Kernel Name"], **{name: number(row, metric) for name, metric in metrics.items()}}
        for row in launches
    ]


def join(plan, profiled):
    """The emulator's figures and ncu's side by side. Copies are added to loads; a rate in per cent becomes a share."""
    if len(plan) != len(profiled):
        sys.exit(f"The plan has {len(plan)} launches, and ncu profiled {len(profiled)}.")
    joined = []
    for one, seen in zip(plan, profiled):
        if one["symbol"] not in seen["kernel"]:
            sys.exit(f"ncu profiled {seen['kernel']} where {one['symbol']} was launched.")
        gpu = {name: seen.get(name) for name in METRICS}
        for kind in ("sectors", "requests"):
            if gpu[f"global.load.{kind}"] is not None:
                gpu[f"global.load.{kind}"] += seen.get(f"copies.{kind}") or 0
        if gpu["l2Model.readHitRate"] is not None:
            gpu["l2Model.readHitRate"] /= 100
        figures = {
            name: {"emulator": one["figures"].get(name), "ncu": gpu[name], "exact": name in EXACT} for name in METRICS
        }
        raw = {name: seen.get(name) for name in COPIES}
        joined.append({**{key: one[key] for key in ("id", "m", "n", "k", "registers")}, "figures": figures, "ncu": raw})
    return joined


def shown(value):
    if value is None:
        return "–"
    return f"{value:.3f}" if 0 < abs(value) < 1 else f"{value:,.0f}"


def markdown(joined):
    """A table for each launch; the last column says whether counts are equal, and how far off the others are."""
    lines = []
    for one in joined:
        lines += ["", f"### {one['id']}, {one['m']}×{one['n']}×{one['k']}", ""]
        lines += ["| figure | emulator | ncu | emulator ÷ ncu − 1 |", "| --- | ---: | ---: | ---: |"]
        for name, figure in one["figures"].items():
            ours, theirs = figure["emulator"], figure["ncu"]
            if ours is None or theirs is None:
                off = "–"
            elif ours == theirs:
                off = "equal"
            else:
                off = "–" if theirs == 0 else f"{100 * (ours / theirs - 1):+.2f} %"
            lines.append(f"| `{name}` | {shown(ours)} | {shown(theirs)} | {off} |")
    return "\n".join(lines[1:]) + "\n"


def output_of(command):
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--launch":
        run_launches(sys.argv[2])
        return
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = sys.argv[1:]
    if shutil.which("ncu") is None:
        sys.exit("There is no ncu on the PATH; it comes with Nsight Compute.")
    os.makedirs(out, exist_ok=True)
    metrics, missing = known_metrics()
    joined = join(read_plan(folder), profile(folder, out, metrics))
    version = [line for line in output_of(["ncu", "--version"]).split("\n") if "Version" in line]
    gpu = output_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip()
    record = {"schemaVersion": 1, "gpu": gpu, "ncu": version, "missing": missing}
    with open(os.path.join(out, "comparison.json"), "w", encoding="utf8") as file:
        json.dump({**record, "metrics": metrics, "launches": joined}, file, indent=1)
    table = markdown(joined)
    with open(os.path.join(out, "comparison.md"), "w", encoding="utf8") as file:
        file.write(table)
    print(table)
    if missing:
        print("This ncu does not have: " + ", ".join(missing))


if __name__ == "__main__":
    main()
