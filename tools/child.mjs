// Runs one program in the foreground and ends with its exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Starts `command` with this terminal's input and output, forwards SIGINT, SIGTERM and SIGHUP, and ends with its exit
 * code. An IPC channel ties both processes together: if this process is killed, the child receives `disconnect`.
 */
export function runInForeground(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Ctrl-C reaches the whole process group by itself; the child ends and this process follows.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm does not end its child when it is killed; then nothing would stop these processes.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 1000).unref();
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  return child;
}
