// Runs in a page before its own scripts: a camera, a microphone and a screen that tests can recognise, and the means to read back
// what arrives. Settings stand in `window.rmeetMedia = {colour, tone, screenColour, refuse}`, set before this script.
(() => {
  const settings = { colour: '#c02020', screenColour: '#2020c0', tone: 440, refuse: null, ...window.rmeetMedia };
  const CELLS = 12;
  const peers = [];

  class WatchedPeerConnection extends window.RTCPeerConnection {
    constructor(...args) {
      super(...args);
      peers.push(this);
    }
  }
  window.RTCPeerConnection = WatchedPeerConnection;

  /** A picture of one colour, with a counter of frames as a row of black and white cells along the bottom. */
  function picture(colour, width, height, frameRate) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    let frame = 0;
    const draw = () => {
      frame++;
      context.fillStyle = colour;
      context.fillRect(0, 0, width, height);
      const cell = width / CELLS;
      for (let bit = 0; bit < CELLS; bit++) {
        context.fillStyle = (frame >> bit) & 1 ? '#fff' : '#000';
        context.fillRect(bit * cell, height * 0.85, cell, height * 0.15);
      }
    };
    draw();
    const timer = setInterval(draw, 1000 / frameRate);
    const [track] = canvas.captureStream(frameRate).getVideoTracks();
    const stop = track.stop.bind(track);
    track.stop = () => {
      clearInterval(timer);
      stop();
    };
    return track;
  }

  let audio;
  function toneTrack(frequency) {
    audio ??= new AudioContext();
    const oscillator = new OscillatorNode(audio, { frequency });
    const gain = new GainNode(audio, { gain: 0.4 });
    const destination = new MediaStreamAudioDestinationNode(audio);
    oscillator.connect(gain).connect(destination);
    oscillator.start();
    return destination.stream.getAudioTracks()[0];
  }

  if (navigator.mediaDevices) {
    const devices = navigator.mediaDevices;
    devices.getUserMedia = async (constraints) => {
      const refused = settings.refuse;
      if (refused) throw new DOMException('refused by the test', refused);
      const tracks = [];
      if (constraints.video) tracks.push(picture(settings.colour, 640, 360, 20));
      if (constraints.audio) tracks.push(toneTrack(settings.tone));
      return new MediaStream(tracks);
    };
    devices.getDisplayMedia = async () => new MediaStream([picture(settings.screenColour, 1280, 720, 10)]);
    const fake = (kind, label) => ({ deviceId: `${kind}-1`, groupId: 'test', kind, label, toJSON: () => ({ kind, label }) });
    devices.enumerateDevices = async () =>
      settings.refuse === 'NotFoundError'
        ? [fake('audiooutput', 'Test speaker')]
        : [fake('videoinput', 'Test camera'), fake('audioinput', 'Test microphone'), fake('audiooutput', 'Test speaker')];
  }

  /** Colour and counter of one video element; null while it shows nothing. */
  function read(video) {
    const { videoWidth: width, videoHeight: height } = video;
    if (!width || !height) return null;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0);
    const [r, g, b] = context.getImageData(width / 2, height / 3, 1, 1).data;
    let counter = 0;
    for (let bit = 0; bit < CELLS; bit++) {
      const [level] = context.getImageData(((bit + 0.5) * width) / CELLS, height * 0.93, 1, 1).data;
      if (level > 127) counter |= 1 << bit;
    }
    return { r, g, b, counter, width, height };
  }

  const listeners = new Map();
  /** The loudest frequency in a track: `tone` in Hz, `level` in dB of full scale; null in silence. */
  function loudestOf(track) {
    audio ??= new AudioContext();
    let analyser = listeners.get(track);
    if (!analyser) {
      analyser = new AnalyserNode(audio, { fftSize: 8192, smoothingTimeConstant: 0 });
      new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([track]) }).connect(analyser);
      listeners.set(track, analyser);
    }
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    let best = 0;
    for (let bin = 1; bin < levels.length; bin++) if (levels[bin] > levels[best]) best = bin;
    return levels[best] > -65 ? { tone: (best * audio.sampleRate) / 2 / analyser.frequencyBinCount, level: levels[best] } : null;
  }

  window.rmeetTest = {
    settings,
    /** What every tile shows, by test id. */
    tiles() {
      const found = {};
      for (const tile of document.querySelectorAll('[data-testid^="tile-"]')) {
        const video = tile.querySelector('video');
        found[tile.dataset.testid] = video ? read(video) : null;
      }
      return found;
    },
    /** The tones that arrive from others, in Hz. */
    async tones() {
      await audio?.resume();
      const tracks = peers.flatMap((peer) => (peer.connectionState === 'closed' ? [] : peer.getReceivers()))
        .map((receiver) => receiver.track).filter((track) => track.kind === 'audio' && track.readyState === 'live' && !track.muted);
      return tracks.map(loudestOf).flatMap((sound) => (sound ? [sound.tone] : []));
    },
    /** What the page plays: each tone with its level in dB of full scale, the player's own volume counted in. */
    async levels() {
      await audio?.resume();
      return [...document.querySelectorAll('audio')].flatMap((player) => {
        const tracks = player.srcObject instanceof MediaStream && !player.muted && !player.paused ? player.srcObject.getAudioTracks() : [];
        return tracks.map(loudestOf).flatMap((sound) => (sound ? [{ tone: sound.tone, level: sound.level + 20 * Math.log10(Math.max(player.volume, 1e-6)) }] : []));
      });
    },
    /** Inbound video of all connections: frames decoded and packets lost, by track. */
    async inbound() {
      const rows = [];
      for (const peer of peers) {
        if (peer.connectionState === 'closed') continue;
        for (const report of (await peer.getStats()).values()) {
          if (report.type !== 'inbound-rtp') continue;
          rows.push({
            kind: report.kind, ssrc: report.ssrc, framesDecoded: report.framesDecoded ?? 0, bytes: report.bytesReceived,
            lost: report.packetsLost, freezes: report.freezeCount ?? 0, width: report.frameWidth ?? 0,
          });
        }
      }
      return rows;
    },
  };
})();
