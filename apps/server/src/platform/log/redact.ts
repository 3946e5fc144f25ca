/** Field names whose values never reach a log. */
const SECRET = /pass(word)?|token|secret|authorization|cookie|captcha|ticket|credential|api-?key|email|mail/i;
const PHONE_FIELD = /phone|mobile|tel(ephone)?$/i;
/** An E.164 number, or a Chinese mobile number. */
const PHONE = /\+\d{7,15}\b|\b1[3-9]\d{9}\b/g;
/** Secrets in a URL's query. */
const QUERY_SECRET =
  /([?&](?:access_token|token|ticket|code|mfaCode|pwd|password|join_request|sessionToken)=)[^&\s"]+/gi;
const MAX_DEPTH = 6;

function redactText(text: string): string {
  return text.replace(QUERY_SECRET, '$1***').replace(PHONE, '***');
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, stack, cause, code } = error as Error & { code?: unknown };
  // Drizzle's message quotes the statement's values; its cause contains the actual error.
  const isQuery = 'query' in error && 'params' in error;
  const message = isQuery ? `Failed query: ${String(error.query)}` : error.message;
  return {
    type: name,
    message: redactText(message),
    ...(code === undefined ? {} : { code }),
    stack: redactText(isQuery ? (stack ?? '').replace(error.message, message) : (stack ?? '')),
    ...(cause === undefined ? {} : { cause: redactValue(cause, depth + 1) }),
  };
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET.test(key) || PHONE_FIELD.test(key) ? '***' : redactValue(item, depth + 1),
    ]),
  );
}

/** An error for reading on a terminal, without the values of a statement. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactText(String(error));
  const { stack, cause } = redactError(error, 0) as { stack: string; cause?: { message?: string } };
  return cause?.message === undefined ? stack : `${stack}\nbecause: ${cause.message}`;
}

/** The fields of a log entry without passwords, tokens, mail addresses and telephone numbers. */
export function redact(fields: unknown): unknown {
  return redactValue(fields, 0);
}
