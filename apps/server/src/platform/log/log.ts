import type { FastifyBaseLogger } from 'fastify';
import { pino, type DestinationStream, type LoggerOptions } from 'pino';
import { createOutput } from './output.ts';
import { readable } from './readable.ts';
import { rememberLine } from './recent.ts';
import { redact } from './redact.ts';

export type Log = FastifyBaseLogger;

/**
 * The process's log: one JSON line per entry, or readable text on a terminal. Fields with names of secrets are removed
 * and telephone numbers masked, in any place.
 *
 * @param name which process logs: `server`, `media`, `supervisor`
 * @param stream where to write instead of standard output
 */
export function createLog(name: string, level: string, stream?: DestinationStream): Log {
  const options: LoggerOptions = {
    name,
    level,
    base: { name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }), log: (fields) => redact(fields) as Record<string, unknown> },
    serializers: {},
  };
  const output = stream ?? createOutput(name, process.stdout.isTTY ? readable : undefined);
  return pino(options, {
    write(line) {
      rememberLine(line);
      output.write(line);
    },
  });
}
