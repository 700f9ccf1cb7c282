#pragma once

namespace ffma {

/// From here on the end of the process does not wait for kernels. To be called when the driver has a context: handlers
/// for the end run in the reverse order of their registration, so this comes before what the driver has registered.
void guard_exit();

/// guard_exit once more, ahead of what a library has registered since that works in the same context.
void renew_exit_guard();

/// To be called where the process ends and this addon's threads still run; where it is not, the handler does it.
void note_what_runs();

}  // namespace ffma
