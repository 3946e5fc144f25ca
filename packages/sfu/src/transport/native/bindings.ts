/**
 * Functions of libc, libuv and OpenSSL in the running process: the npm binary of Node exports its own OpenSSL and
 * libuv. Pointers are plain numbers (addresses of user space fit 2^53), which cost half of what Buffers cost.
 *
 * Importing this file never fails: what is missing shows in `bindings`.
 */
import { failure, koffi } from './koffi.ts';

/** Types of C by their names in koffi. A pointer is 'uintptr_t'. */
type CType = 'int' | 'uint' | 'long' | 'ulong' | 'uint32_t' | 'uint64_t' | 'size_t' | 'uintptr_t';
type Arguments<T extends readonly CType[]> = { [K in keyof T]: number };

type Library = { func(name: string, result: string, args: string[]): unknown };

/** Symbols that could not be found, by name. */
type Missing = string[];

function binder(library: Library, missing: Missing) {
  const find = (name: string, result: string, args: readonly string[]): unknown => {
    try {
      return library.func(name, result, [...args]);
    } catch {
      missing.push(name);
      return undefined;
    }
  };
  return {
    /** A function with a result that fits a number. */
    f: <const T extends readonly CType[]>(name: string, result: CType, ...args: T) =>
      find(name, result, args) as (...values: Arguments<T>) => number,
    /** A function without a result. */
    v: <const T extends readonly CType[]>(name: string, ...args: T) =>
      find(name, 'void', args) as (...values: Arguments<T>) => void,
  };
}
type Binder = ReturnType<typeof binder>;

const P = 'uintptr_t';

const libcOf = ({ f, v }: Binder) => ({
  socket: f('socket', 'int', 'int', 'int', 'int'),
  bind: f('bind', 'int', 'int', P, 'uint32_t'),
  close: f('close', 'int', 'int'),
  setsockopt: f('setsockopt', 'int', 'int', 'int', 'int', P, 'uint32_t'),
  getsockopt: f('getsockopt', 'int', 'int', 'int', 'int', P, P),
  getsockname: f('getsockname', 'int', 'int', P, P),
  sendmmsg: f('sendmmsg', 'int', 'int', P, 'uint32_t', 'int'),
  recvmmsg: f('recvmmsg', 'int', 'int', P, 'uint32_t', 'int', P),
  memcpy: v('memcpy', P, P, 'size_t'),
});

const uvOf = ({ f, v }: Binder) => ({
  uv_default_loop: f('uv_default_loop', P),
  uv_handle_size: f('uv_handle_size', 'size_t', 'int'),
  uv_poll_init: f('uv_poll_init', 'int', P, P, 'int'),
  uv_poll_start: f('uv_poll_start', 'int', P, 'int', P),
  uv_poll_stop: f('uv_poll_stop', 'int', P),
  uv_timer_init: f('uv_timer_init', 'int', P, P),
  uv_timer_start: f('uv_timer_start', 'int', P, P, 'uint64_t', 'uint64_t'),
  uv_close: v('uv_close', P, P),
});

const cipherOf = ({ f, v }: Binder) => ({
  EVP_CIPHER_CTX_new: f('EVP_CIPHER_CTX_new', P),
  EVP_CIPHER_CTX_free: v('EVP_CIPHER_CTX_free', P),
  EVP_aes_128_gcm: f('EVP_aes_128_gcm', P),
  EVP_aes_128_ctr: f('EVP_aes_128_ctr', P),
  EVP_sha1: f('EVP_sha1', P),
  EVP_sha256: f('EVP_sha256', P),
  EVP_CipherInit_ex: f('EVP_CipherInit_ex', 'int', P, P, P, P, P, 'int'),
  EVP_CipherUpdate: f('EVP_CipherUpdate', 'int', P, P, P, P, 'int'),
  EVP_CipherFinal_ex: f('EVP_CipherFinal_ex', 'int', P, P, P),
  EVP_CIPHER_CTX_ctrl: f('EVP_CIPHER_CTX_ctrl', 'int', P, 'int', 'int', P),
  HMAC_CTX_new: f('HMAC_CTX_new', P),
  HMAC_CTX_free: v('HMAC_CTX_free', P),
  HMAC_Init_ex: f('HMAC_Init_ex', 'int', P, P, 'int', P, P),
  HMAC_Update: f('HMAC_Update', 'int', P, P, 'size_t'),
  HMAC_Final: f('HMAC_Final', 'int', P, P, P),
  ERR_get_error: f('ERR_get_error', 'ulong'),
  ERR_clear_error: v('ERR_clear_error'),
  ERR_error_string_n: v('ERR_error_string_n', 'ulong', P, 'size_t'),
});

const contextOf = ({ f, v }: Binder) => ({
  DTLS_method: f('DTLS_method', P),
  SSL_CTX_new: f('SSL_CTX_new', P, P),
  SSL_CTX_free: v('SSL_CTX_free', P),
  SSL_CTX_ctrl: f('SSL_CTX_ctrl', 'long', P, 'int', 'long', P),
  SSL_CTX_set_options: f('SSL_CTX_set_options', 'uint64_t', P, 'uint64_t'),
  SSL_CTX_set_cipher_list: f('SSL_CTX_set_cipher_list', 'int', P, P),
  SSL_CTX_use_certificate: f('SSL_CTX_use_certificate', 'int', P, P),
  SSL_CTX_use_PrivateKey: f('SSL_CTX_use_PrivateKey', 'int', P, P),
  SSL_CTX_set_verify: v('SSL_CTX_set_verify', P, 'int', P),
  SSL_CTX_set_cert_verify_callback: v('SSL_CTX_set_cert_verify_callback', P, P, P),
  SSL_CTX_set_tlsext_use_srtp: f('SSL_CTX_set_tlsext_use_srtp', 'int', P, P),
  X509_STORE_CTX_get0_cert: f('X509_STORE_CTX_get0_cert', P, P),
  X509_free: v('X509_free', P),
  X509_digest: f('X509_digest', 'int', P, P, P, P),
  X509_new: f('X509_new', P),
  X509_set_version: f('X509_set_version', 'int', P, 'long'),
  X509_get_serialNumber: f('X509_get_serialNumber', P, P),
  ASN1_INTEGER_set: f('ASN1_INTEGER_set', 'int', P, 'long'),
  X509_getm_notBefore: f('X509_getm_notBefore', P, P),
  X509_getm_notAfter: f('X509_getm_notAfter', P, P),
  X509_gmtime_adj: f('X509_gmtime_adj', P, P, 'long'),
  X509_get_subject_name: f('X509_get_subject_name', P, P),
  X509_set_issuer_name: f('X509_set_issuer_name', 'int', P, P),
  X509_NAME_add_entry_by_txt: f('X509_NAME_add_entry_by_txt', 'int', P, P, 'int', P, 'int', 'int', 'int'),
  X509_set_pubkey: f('X509_set_pubkey', 'int', P, P),
  X509_sign: f('X509_sign', 'int', P, P, P),
  d2i_AutoPrivateKey: f('d2i_AutoPrivateKey', P, P, P, 'long'),
  EVP_PKEY_free: v('EVP_PKEY_free', P),
});

const sessionOf = ({ f, v }: Binder) => ({
  SSL_new: f('SSL_new', P, P),
  SSL_free: v('SSL_free', P),
  SSL_set_bio: v('SSL_set_bio', P, P, P),
  SSL_set_accept_state: v('SSL_set_accept_state', P),
  SSL_set_connect_state: v('SSL_set_connect_state', P),
  SSL_ctrl: f('SSL_ctrl', 'long', P, 'int', 'long', P),
  SSL_do_handshake: f('SSL_do_handshake', 'int', P),
  SSL_get_error: f('SSL_get_error', 'int', P, 'int'),
  SSL_read: f('SSL_read', 'int', P, P, 'int'),
  SSL_write: f('SSL_write', 'int', P, P, 'int'),
  SSL_shutdown: f('SSL_shutdown', 'int', P),
  SSL_free_buffers: f('SSL_free_buffers', 'int', P),
  SSL_export_keying_material: f(
    'SSL_export_keying_material',
    'int',
    ...([P, P, 'size_t', P, 'size_t', P, 'size_t', 'int'] as const),
  ),
  SSL_get_selected_srtp_profile: f('SSL_get_selected_srtp_profile', P, P),
  DTLS_set_timer_cb: v('DTLS_set_timer_cb', P, P),
  BIO_s_dgram_mem: f('BIO_s_dgram_mem', P),
  BIO_new: f('BIO_new', P, P),
  BIO_up_ref: f('BIO_up_ref', 'int', P),
  BIO_read: f('BIO_read', 'int', P, P, 'int'),
  BIO_write: f('BIO_write', 'int', P, P, 'int'),
});

interface Bindings {
  libc: ReturnType<typeof libcOf>;
  uv: ReturnType<typeof uvOf>;
  ssl: ReturnType<typeof cipherOf> & ReturnType<typeof contextOf> & ReturnType<typeof sessionOf>;
}
export type Ssl = Bindings['ssl'];

/** Opened at most once: the functions, or why they are missing. */
let opened: Bindings | string | undefined;

function open(): Bindings | string {
  if (process.platform !== 'linux') return `${process.platform} is not supported`;
  if (process.arch !== 'x64' && process.arch !== 'arm64') return `${process.arch} is not supported`;
  if (koffi === undefined) return failure;
  const missing: Missing = [];
  const bind = binder(koffi.load(null), missing);
  const found = {
    libc: libcOf(bind),
    uv: uvOf(bind),
    ssl: { ...cipherOf(bind), ...contextOf(bind), ...sessionOf(bind) },
  };
  if (missing.length > 0) return `this Node does not export ${missing.slice(0, 4).join(', ')}`;
  return found;
}

/**
 * The functions; binds them on the first call.
 *
 * @throws Error 'native transport not available: <why>'
 */
export function bindings(): Bindings {
  opened ??= open();
  if (typeof opened === 'string') throw new Error(`native transport not available: ${opened}`);
  return opened;
}

/** `errno` of the last call of this thread. */
export const errno = (): number => koffi?.errno() ?? 0;

/**
 * A function that native code can call, for as long as the process lives.
 *
 * An exception must not leave it: it would vanish, and the callback would not be called again. So `guarded` throws it
 * in a microtask, and gives native code 0.
 *
 * @returns the native address
 */
export function callback<const T extends readonly CType[]>(
  fn: (...values: Arguments<T>) => number | void,
  result: CType | 'void',
  args: T,
): number {
  if (koffi === undefined) throw new Error(`native transport not available: ${failure}`);
  const guarded = (...values: Arguments<T>): number => {
    try {
      return fn(...values) ?? 0;
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
      return 0;
    }
  };
  return Number(koffi.register(guarded, koffi.pointer(koffi.proto(result, [...args]))));
}
