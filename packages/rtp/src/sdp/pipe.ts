import type { TransportParameters } from './description.ts';

/**
 * The description of the peer that libdatachannel gets instead of the real one: one video section, whose track carries
 * all RTP and RTCP packets, and one for data channels. Sections and codecs are negotiated outside of it.
 */
export function pipeDescription(
  peer: TransportParameters,
  options: { maxMessageBytes: number; candidates?: readonly string[]; data?: boolean },
): string {
  const { maxMessageBytes, candidates = [], data = true } = options;
  const transport = [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${peer.iceUfrag}`,
    `a=ice-pwd:${peer.icePwd}`,
    `a=fingerprint:sha-256 ${peer.fingerprint}`,
    `a=setup:${peer.setup}`,
  ];
  const dataSection = [
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ...transport,
    'a=mid:1',
    'a=sctp-port:5000',
    `a=max-message-size:${maxMessageBytes}`,
  ];
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    ...(peer.iceLite === true ? ['a=ice-lite'] : []),
    `a=group:BUNDLE 0${data ? ' 1' : ''}`,
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    ...transport,
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:96 VP8/90000',
    ...candidates.map((candidate) => `a=${candidate}`),
    ...(data ? dataSection : []),
    '',
  ].join('\r\n');
}

/** Reads the local description that libdatachannel made. @throws Error if it is incomplete */
export function readPipeParameters(sdp: string): TransportParameters {
  const value = (pattern: RegExp): string => {
    const found = pattern.exec(sdp)?.[1];
    if (found === undefined) throw new Error('the transport gave no local description');
    return found;
  };
  return {
    iceUfrag: value(/^a=ice-ufrag:(\S+)/m),
    icePwd: value(/^a=ice-pwd:(\S+)/m),
    fingerprint: value(/^a=fingerprint:sha-256 (\S+)/m),
    setup: value(/^a=setup:(active|passive|actpass)/m) as TransportParameters['setup'],
  };
}
