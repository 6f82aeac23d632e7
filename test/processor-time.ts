/** Milliseconds of processor time that `work` takes in this process: what else the machine does counts hardly at all. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
