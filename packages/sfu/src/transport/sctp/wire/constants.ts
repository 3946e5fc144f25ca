/** Types of chunks (RFC 9260 section 3.2, RFC 3758, RFC 6525, RFC 8260). */
export const ChunkType = {
  data: 0,
  init: 1,
  initAck: 2,
  sack: 3,
  heartbeat: 4,
  heartbeatAck: 5,
  abort: 6,
  shutdown: 7,
  shutdownAck: 8,
  error: 9,
  cookieEcho: 10,
  cookieAck: 11,
  shutdownComplete: 14,
  iData: 64,
  reConfig: 130,
  forwardTsn: 192,
  iForwardTsn: 194,
} as const;

/** Types of parameters (RFC 9260 section 3.3.2.1, RFC 3758, RFC 5061, RFC 6525). */
export const ParameterType = {
  heartbeatInfo: 1,
  stateCookie: 7,
  unrecognised: 8,
  outgoingReset: 13,
  incomingReset: 14,
  tsnReset: 15,
  resetResponse: 16,
  addOutgoing: 17,
  addIncoming: 18,
  supportedExtensions: 0x8008,
  forwardTsnSupported: 0xc000,
} as const;

/** Causes in ERROR and ABORT chunks (RFC 9260 section 3.3.10). */
export const ErrorCause = {
  invalidStream: 1,
  missingParameter: 2,
  staleCookie: 3,
  outOfResource: 4,
  unrecognisedChunk: 6,
  invalidParameter: 7,
  unrecognisedParameters: 8,
  noUserData: 9,
  cookieWhileShuttingDown: 10,
  restartWithNewAddresses: 11,
  userAbort: 12,
  protocolViolation: 13,
} as const;

/** Payload protocol identifiers of data channels (RFC 8831 section 8). */
export const PayloadProtocol = {
  control: 50,
  text: 51,
  binaryPartial: 52,
  binary: 53,
  textPartial: 54,
  textEmpty: 56,
  binaryEmpty: 57,
} as const;

/** Common header of a packet, and header of a chunk or parameter, in bytes. */
export const PACKET_HEADER = 12;
export const CHUNK_HEADER = 4;
