/** RTMP: pushing a live stream to other servers, and taking those of encoders. Knows H.264 and AAC. */
export { parseRtmpAddress, signForAliyun, signForTencent, type RtmpAddress, type Signature } from './address.ts';
export type { MediaConfig, MediaFrame } from './flv.ts';
export { RtmpIngest, type IngestOptions, type IngestSink, type PublishRequest } from './ingest.ts';
export { play, type RtmpPlayer } from './play.ts';
export { publish, PublishRefused, type PublisherOptions, type RtmpPublisher } from './publisher.ts';
export { RtmpPush, type PushOptions, type PushState } from './push.ts';
