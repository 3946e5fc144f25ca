import { constants } from 'node:os';

/**
 * Whether a file could not be written because its disk, or its owner's quota, is full. Node has no name for the latter.
 */
export function isDiskFull(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || (errno !== undefined && errno === -constants.errno.EDQUOT);
}
