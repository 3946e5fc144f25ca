import type { DirectoryProblem } from '@rmeet/contract';
import { AddressForbidden } from '../../../../platform/outbound/index.ts';

const DETAIL_LENGTH = 300;
const INSIDE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']);

/** A directory cannot be used; `detail` is what it said. */
export class DirectoryFailure extends Error {
  override readonly name = 'DirectoryFailure';
  readonly problem: DirectoryProblem;
  readonly detail: string;

  constructor(problem: DirectoryProblem, detail = '', options?: ErrorOptions) {
    super(detail === '' ? problem : `${problem}: ${detail}`, options);
    this.problem = problem;
    this.detail = detail.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, DETAIL_LENGTH);
  }
}

function problemOfCode(code: string): DirectoryProblem | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'HOST_UNKNOWN';
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'TIMEOUT';
  if (INSIDE.has(code)) return 'UNREACHABLE';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'CERTIFICATE_NAME';
  if (/CERT|UNABLE_TO|SELF_SIGNED|INVALID_CA/.test(code)) return 'CERTIFICATE_UNTRUSTED';
  return /SSL|TLS/.test(code) ? 'TLS_FAILED' : undefined;
}

/** Result codes of RFC 4511, appendix A. */
const PROBLEM_OF_RESULT: Record<number, DirectoryProblem> = {
  3: 'TIMEOUT',
  8: 'BIND_REFUSED',
  10: 'REFERRAL',
  32: 'BASE_UNKNOWN',
  34: 'BASE_UNKNOWN',
  48: 'BIND_REFUSED',
  49: 'BIND_REFUSED',
};

/** Any failure of a directory, as a problem with words. */
export function failureOf(error: unknown): DirectoryFailure {
  if (error instanceof DirectoryFailure) return error;
  const { message, code } = error as Error & { code?: string | number };
  if (error instanceof AddressForbidden) return new DirectoryFailure('ADDRESS_FORBIDDEN', '', { cause: error });
  // Errors of ldapts have the number of the result, those of Node a word.
  if (typeof code === 'number')
    return new DirectoryFailure(PROBLEM_OF_RESULT[code] ?? 'OTHER', message, { cause: error });
  const known = problemOfCode(code ?? '');
  const byText = /timeout|timed out/i.test(message) ? 'TIMEOUT' : undefined;
  const closed = /socket|connection closed/i.test(message) ? 'UNREACHABLE' : undefined;
  return new DirectoryFailure(known ?? byText ?? closed ?? 'OTHER', message, { cause: error });
}
