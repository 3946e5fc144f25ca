import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';

const MEGABYTE = 2 ** 20;

/**
 * Sized for a small machine that also runs the media engine: pages that are not in the shared buffers are in the
 * system's cache.
 */
function memory(): Record<string, string> {
  const total = Math.floor(totalmem() / MEGABYTE);
  const buffers = Math.min(Math.max(Math.floor(total / 32), 32), 256);
  return {
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.max(Math.floor(total / 2), 2 * buffers)}MB`,
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
  };
}

/** Settings of the embedded PostgreSQL; those of its major version only are last. */
export function settingsFor(major: number): Record<string, string> {
  return {
    ...memory(),
    max_connections: '80',
    // No acknowledged write is lost in a power failure: these are the defaults, set on purpose.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // No replica reads its log.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    max_wal_size: '512MB',
    // One processor per statement: other work needs the rest.
    max_worker_processes: '1',
    max_parallel_workers: '0',
    max_parallel_maintenance_workers: '0',
    max_logical_replication_workers: '0',
    autovacuum_max_workers: '2',
    autovacuum_naptime: '20s',
    // Containers may have no /dev/shm.
    dynamic_shared_memory_type: existsSync('/dev/shm') ? 'posix' : 'mmap',
    // Statements, and details of errors, contain user input: none of it is printed.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    lc_messages: 'C',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    log_statement: 'none',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Fewer processes: each connection reads for itself.
    ...(major >= 18 ? { io_method: 'sync' } : {}),
  };
}
