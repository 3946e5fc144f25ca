/** Types of chunks (RFC 9260 section 3.2, RFC 3758, RFC 6525, RFC 8260). */
export const ChunkType = {
  DATA: 0,
  INIT: 1,
  INIT_ACK: 2,
  SACK: 3,
  HEARTBEAT: 4,
  HEARTBEAT_ACK: 5,
  ABORT: 6,
  SHUTDOWN: 7,
  SHUTDOWN_ACK: 8,
  ERROR: 9,
  COOKIE_ECHO: 10,
  COOKIE_ACK: 11,
  SHUTDOWN_COMPLETE: 14,
  I_DATA: 64,
  RE_CONFIG: 130,
  FORWARD_TSN: 192,
  I_FORWARD_TSN: 194,
} as const;

/** Types of parameters (RFC 9260 section 3.3.2.1, RFC 3758, RFC 5061, RFC 6525). */
export const ParameterType = {
  HEARTBEAT_INFO: 1,
  STATE_COOKIE: 7,
  UNRECOGNISED: 8,
  OUTGOING_RESET: 13,
  INCOMING_RESET: 14,
  TSN_RESET: 15,
  RESET_RESPONSE: 16,
  ADD_OUTGOING: 17,
  ADD_INCOMING: 18,
  SUPPORTED_EXTENSIONS: 0x8008,
  FORWARD_TSN_SUPPORTED: 0xc000,
} as const;

/** Causes in ERROR and ABORT chunks (RFC 9260 section 3.3.10). */
export const ErrorCause = {
  INVALID_STREAM: 1,
  MISSING_PARAMETER: 2,
  STALE_COOKIE: 3,
  OUT_OF_RESOURCE: 4,
  UNRECOGNISED_CHUNK: 6,
  INVALID_PARAMETER: 7,
  UNRECOGNISED_PARAMETERS: 8,
  NO_USER_DATA: 9,
  COOKIE_WHILE_SHUTTING_DOWN: 10,
  RESTART_WITH_NEW_ADDRESSES: 11,
  USER_ABORT: 12,
  PROTOCOL_VIOLATION: 13,
} as const;

/** Payload protocol identifiers of data channels (RFC 8831 section 8). */
export const PayloadProtocol = {
  CONTROL: 50,
  TEXT: 51,
  BINARY_PARTIAL: 52,
  BINARY: 53,
  TEXT_PARTIAL: 54,
  TEXT_EMPTY: 56,
  BINARY_EMPTY: 57,
} as const;

/** Bytes of the common header of a packet, and of the header of a chunk or parameter. */
export const PACKET_HEADER = 12;
export const CHUNK_HEADER = 4;

/** The SCTP port of both sides (RFC 8841 section 5.1: `a=sctp-port:5000`). */
export const SCTP_PORT = 5000;
