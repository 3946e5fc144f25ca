import type { MailFailure } from '@rmeet/contract';
import type { Trial } from './types.ts';

/** Milliseconds after which a trial has failed, independent of the mail server. */
export const TRY_WITHIN = 14_000;
const DETAIL_LENGTH = 300;

/** The mail client's fields of a failure; `originalCode` is the system's. */
interface ClientError {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  message?: string;
}

/** Replies that require an account or reject it (RFC 4954, section 6). */
const OF_ACCOUNT: ReadonlySet<number> = new Set([530, 534, 535, 538]);
const OF_TLS = /certificate|self.signed|TLS|SSL|ERR_OSSL|altnames/i;
const BY_CODE: Record<string, MailFailure> = {
  EDNS: 'host',
  ENOTFOUND: 'host',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EAUTH: 'account',
  ENOAUTH: 'account',
  EOAUTH2: 'account',
};
const BY_COMMAND: Record<string, MailFailure> = { 'MAIL FROM': 'sender', 'RCPT TO': 'recipient', DATA: 'message' };

/** What to check after a failure. */
function failureKind({
  code = '',
  originalCode = '',
  command = '',
  responseCode,
  message = '',
}: ClientError): MailFailure {
  const told = BY_CODE[code] ?? BY_CODE[originalCode];
  if (told) return told;
  if (responseCode !== undefined && OF_ACCOUNT.has(responseCode)) return 'account';
  // Aborted between STARTTLS and the sender, or by a certificate: there is no reply from the mail server.
  if (responseCode === undefined && (OF_TLS.test(message) || OF_TLS.test(originalCode))) return 'tls';
  return BY_COMMAND[command] ?? (code === 'ECONNECTION' || code === 'ESOCKET' ? 'connection' : 'other');
}

function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_LENGTH);
}

/** Waits until a mail is sent, at most `within` milliseconds. */
export async function trialOf(sending: Promise<unknown>, within: number): Promise<Trial> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Trial>();
  const timer = setTimeout(() => resolve({ failure: 'timeout', detail: '' }), within);
  const sent = sending.then(
    (): Trial => ({ failure: null, detail: '' }),
    (error: ClientError): Trial => ({
      failure: failureKind(error),
      detail: oneLine(error.response ?? error.message ?? ''),
    }),
  );
  try {
    return await Promise.race([sent, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** A text without the name and the password of the URL's account, in plain text or in base64. */
export function withoutAccount(text: string, url: string): string {
  const { username, password } = new URL(url);
  const secrets = [decodeURIComponent(password), decodeURIComponent(username)].filter((secret) => secret.length > 2);
  return secrets
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
