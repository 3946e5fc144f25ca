/** Reading and writing session descriptions (SDP). */
export {
  isSending,
  readCandidates,
  readDescription,
  SdpError,
  type Description,
  type DescriptionLimits,
  type HeaderExtension,
  type MediaSection,
  type PayloadFormat,
  type TransportParameters,
} from './description.ts';
export { extensionId, extensionUris, hasTransportSequence, redFormat, rtxFormats, usableFormats } from './formats.ts';
export { pipeDescription, readPipeParameters } from './pipe.ts';
export {
  VIDEO_FEEDBACK,
  writeDescription,
  type LocalSide,
  type SentStream,
  type WrittenFormat,
  type WrittenSection,
} from './writer.ts';
