import type { TransportDescription } from '@rmeet/participant/rtc';

/** Payload types and extension ids of the offers below; the packets in the other files use them. */
export const PAYLOAD_TYPES = { opus: 111, red: 63, vp8: 96, h264: 102, vp9: 98, av1: 45 } as const;
export const EXTENSION_IDS = {
  level: 1,
  sendTime: 2,
  transportSequence: 3,
  mid: 4,
  rid: 10,
  repairedRid: 11,
  descriptor: 12,
} as const;

/** The tracks a peer sends, one per codec, by the mid of their section. */
export const SENT = [
  { mid: '1', codec: 'opus', video: false },
  { mid: '2', codec: 'vp8', video: true },
  { mid: '3', codec: 'h264', video: true },
  { mid: '4', codec: 'vp9', video: true },
  { mid: '5', codec: 'av1', video: true },
] as const;
export const RIDS = ['q', 'h', 'f'] as const;

const audioFormats = [
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtcp-fb:111 transport-cc',
  'a=rtcp-fb:111 nack',
  'a=rtpmap:63 red/48000/2',
  'a=fmtp:63 111/111',
];
/** A format with its possible feedback, and its retransmission format, which has the next payload type. */
function videoFormat(type: number, name: string, parameters?: string): string[] {
  const feedbacks = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'].map(
    (feedback) => `a=rtcp-fb:${type} ${feedback}`,
  );
  const lines = [
    `a=rtpmap:${type} ${name}/90000`,
    ...feedbacks,
    `a=rtpmap:${type + 1} rtx/90000`,
    `a=fmtp:${type + 1} apt=${type}`,
  ];
  return parameters === undefined ? lines : [...lines, `a=fmtp:${type} ${parameters}`];
}

const videoFormats = [
  videoFormat(PAYLOAD_TYPES.vp8, 'VP8'),
  videoFormat(PAYLOAD_TYPES.h264, 'H264', 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f'),
  videoFormat(PAYLOAD_TYPES.vp9, 'VP9'),
  videoFormat(PAYLOAD_TYPES.av1, 'AV1'),
].flat();
const extensions = [
  'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
];
const videoExtensions = [
  ...extensions,
  'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  'a=extmap:12 https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension',
];

function section(
  own: TransportDescription,
  mid: string,
  video: boolean,
  direction: 'sendonly' | 'recvonly',
  cid?: string,
): string[] {
  const types = video ? '96 97 102 103 98 99 45 46' : '111 63';
  return [
    `m=${video ? 'video' : 'audio'} 9 UDP/TLS/RTP/SAVPF ${types}`,
    ...transportLines(own),
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...(video
      ? [...videoFormats, ...videoExtensions]
      : [...audioFormats, 'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level', ...extensions]),
    ...(cid === undefined ? [] : [`a=msid:stream ${cid}`]),
    ...(cid !== undefined && video
      ? [...RIDS.map((rid) => `a=rid:${rid} send`), `a=simulcast:send ${RIDS.join(';')}`]
      : []),
  ];
}

function transportLines(own: TransportDescription): string[] {
  return [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${own.iceUfrag}`,
    `a=ice-pwd:${own.icePwd}`,
    `a=fingerprint:sha-256 ${own.fingerprint}`,
    `a=setup:${own.setup}`,
    ...own.candidates.map((candidate) => `a=${candidate}`),
  ];
}

/**
 * An offer like a browser's with one peer connection: data, a track of each codec, and receiving sections. `cid`
 * returns a track's id by its mid.
 */
export function richOffer(own: TransportDescription, cid: (mid: string) => string): string {
  const received = [
    ['6', false],
    ['7', true],
    ['8', true],
    ['9', true],
    ['10', true],
  ] as const;
  const mids = ['0', ...SENT.map(({ mid }) => mid), ...received.map(([mid]) => mid)];
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mids.join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS *',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ...transportLines(own),
    'a=mid:0',
    'a=sctp-port:5000',
    'a=max-message-size:262144',
    ...SENT.flatMap(({ mid, video }) => section(own, mid, video, 'sendonly', cid(mid))),
    ...received.flatMap(([mid, video]) => section(own, mid, video, 'recvonly')),
    '',
  ].join('\r\n');
}

/** Parameters without a real transport, for offers that are only parsed. */
export const NOBODY: TransportDescription = {
  iceUfrag: 'q1Fdq1Fd',
  icePwd: '42XEbatOISv9HpdQcy2U5942',
  setup: 'actpass',
  candidates: ['candidate:1 1 UDP 2122317823 192.0.2.2 50000 typ host'],
  fingerprint: '6E:2D:69:E4:49:29:66:0E:21:3B:11:66:37:6D:A1:E6:D6:A7:A6:2A:56:98:58:8C:CE:7E:44:EF:30:41:DD:4D',
};
