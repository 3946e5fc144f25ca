interface Entry {
  time: string;
  level: string;
  name: string;
  msg?: string;
  error?: { stack?: string; message?: string };
  [field: string]: unknown;
}

/** `17:03:12 warn server  message {fields}`, for reading on a terminal. */
export function readable(line: string): string {
  const { time, level, name, msg, error, ...fields } = JSON.parse(line) as Entry;
  const clock = new Date(time).toLocaleTimeString('sv');
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const problem = error ? `\n  ${(error.stack ?? error.message ?? '').replaceAll('\n', '\n  ')}` : '';
  return `${clock} ${level.padEnd(5)} ${name.padEnd(10)} ${msg ?? ''}${rest}${problem}\n`;
}
