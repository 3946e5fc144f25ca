import { readFileSync } from 'node:fs';

/** How many connections may be open at a time, in file handles: one connected to a media process takes two. */
export interface ConnectionLimits {
  /** Of unauthenticated callers. */
  anonymous: number;
  /** Of those, per address (IPv6: per network); connections. */
  perAddress: number;
  /** Of authenticated callers. */
  signedIn: number;
  /** Of those, per caller; connections. */
  perCaller: number;
}

/** Assumed if the system does not report the limit of a process. */
const ASSUMED_HANDLES = 4_096;
/** More would cost memory: a connection takes about 10 kB, with TLS about 50 kB. */
const MOST_HANDLES = 65_536;
/**
 * Reserved for everything else: the embedded database opens up to a thousand files (max_files_per_process), and there
 * are stored files, calls, pipes.
 */
const OTHER_HANDLES = 1_500;
const MOST_ANONYMOUS = 8_000;
/** A browser opens six to a server, and one for push messages per page. */
const PER_CALLER = 100;

/**
 * File handles this process may have open: the limit, which Node raises as far as it may at start (proc(5),
 * /proc/pid/limits).
 */
export function fileHandles(): number {
  try {
    const soft = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === 'unlimited' ? MOST_HANDLES : Number(soft ?? ASSUMED_HANDLES);
  } catch {
    return ASSUMED_HANDLES; // not Linux
  }
}

/** Limits whose sum stays below this number of file handles. */
export function connectionLimits(handles: number): ConnectionLimits {
  const most = Math.min(handles, MOST_HANDLES);
  const forConnections = most - Math.min(OTHER_HANDLES, Math.floor(most / 2));
  const anonymous = Math.min(MOST_ANONYMOUS, Math.floor(forConnections / 4));
  return {
    anonymous,
    perAddress: Math.ceil(anonymous / 2),
    signedIn: forConnections - anonymous,
    perCaller: PER_CALLER,
  };
}
