/** Mulberry32: the same numbers in every run. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const STARTS = ['/', '/manage', '/api/api/v1/', '/api/', '/rtc', '/rtc/v1', '/rtc/validate', '/twirp/livekit.RoomService/ListRooms', '/twirp', '/assets/', '/manage/', '/index.html', '/healthz', '/metrics', '/api/push', '', '*', 'http://x', 'https://x:1/', 'ftp://x/', 'x:1', '//x'];
const PIECES = [
  '/', '//', '/.', '/..', '/...', '/%2e', '/%2e%2e', '/.%2E', '%2f', '%2F..', '\\', '/..\\', '%5c', '%5C..%5C', '%00', '%0a', '%0d%0a', '%7f', '%', '%z', '%zz', '%c0%af', '%ff', '%e4%bc%9a', '%252e%252e',
  ';', ';/..', ';a=b', '#', '#/..', '?', '?a=%', '?a=%00&a=b', '&', '@', '~', '|', '^', '"', '<', '`', '{}', 'status', 'metrics', 'etc/passwd', 'index.html', 'tiny/open', 'tiny', 'a'.repeat(300), 'b'.repeat(5_000), '\x80', '\xff', 'é',
];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'PURGE', 'get', 'NONSENSE'];
const HEADERS = [
  'host: x', 'host: x', 'host: x', 'host: a b', 'host: [::1', 'host: 127.0.0.1\r\nhost: y', 'host:', 'x-nothing: 1', 'host: 127.0.0.1\r\nrange: bytes=5-1', 'host: 127.0.0.1\r\nrange: bytes=99999-', 'host: 127.0.0.1\r\nif-modified-since: never', 'host: 127.0.0.1\r\naccept-encoding: \xff;q=9',
  'host: 127.0.0.1\r\ncontent-length: 0\r\ncontent-length: 1', 'host: 127.0.0.1\r\ncontent-length: -1', 'host: 127.0.0.1\r\ncontent-length: 0\r\ntransfer-encoding: chunked', 'host: 127.0.0.1\r\ntransfer-encoding: nonsense', 'host: 127.0.0.1\r\nexpect: nonsense', 'host: 127.0.0.1\r\ncontent-type: nonsense',
  'host: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade', 'host: 127.0.0.1\r\nupgrade: h2c\r\nconnection: upgrade', 'host: 127.0.0.1\r\nx-forwarded-host: a b\r\nx-forwarded-for: nobody', 'host: 127.0.0.1\r\naccept-language: \xff\xff', 'host: 127.0.0.1\r\ncookie: =;;=', 'host: 127.0.0.1\r\nauthorization: Bearer \xff',
  'host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', ''];

/** The bytes of a request whose target, method, version or headers are mostly not as they should be. */
export function oddRequest(random: () => number): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const target = pick(STARTS) + Array.from({ length: Math.floor(random() * 4) }, () => pick(PIECES)).join('');
  return `${pick(METHODS)} ${target} ${pick(VERSIONS)}\r\n${pick(HEADERS)}\r\nconnection: close\r\n\r\n{`;
}
