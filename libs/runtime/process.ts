/** A process whose work has ended leaves within this time. */
const LEAVE_MS = 5_000

/**
 * Ends the process soon after its work has ended, with its exit code. A socket that a server left half open would keep it: it would do
 * nothing more, and no process manager would start it again.
 */
export function leaveSoon(leaveMs: number = LEAVE_MS): void {
  // Unreferenced, so that a process without such a socket leaves at once.
  setTimeout(() => process.exit(), leaveMs).unref()
}
