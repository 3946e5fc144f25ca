// Runs in a page before its own scripts: a camera, a microphone and a screen that tests can recognise, and the means to
// read back what arrives. Settings are in `window.rmeetMedia =
// {colour, tone, camera, screenColour, screenTone, refuse}`, set before this script.
(() => {
  const settings = {
    colour: '#c02020',
    tone: 440,
    camera: { width: 640, height: 360, frameRate: 20 },
    // the screen has audio if a tone is given
    screenColour: '#2020c0',
    screenTone: null,
    refuse: null,
    ...window.rmeetMedia,
  };
  const CELLS = 12;
  const peers = [];

  class WatchedPeerConnection extends window.RTCPeerConnection {
    constructor(...args) {
      super(...args);
      peers.push(this);
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState === 'connected') this.connectedAt ??= performance.now();
      });
    }
  }
  window.RTCPeerConnection = WatchedPeerConnection;

  // React reports every commit to its developer tools; this stores the times.
  const commits = [];
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => commits.push(performance.now()),
      onPostCommitFiberRoot() {},
      onCommitFiberUnmount() {},
    },
  });

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
  /** A tone in Hz, with another one on the right channel if given; `volume.gain` changes the level. */
  function sound(tone, right = null) {
    audio ??= new AudioContext();
    const volume = new GainNode(audio, { gain: 0.4 });
    const sides = new ChannelMergerNode(audio, { numberOfInputs: 2 });
    for (const [side, frequency] of [tone, right ?? tone].entries()) {
      const oscillator = new OscillatorNode(audio, { frequency });
      oscillator.connect(sides, 0, side);
      oscillator.start();
    }
    const destination = new MediaStreamAudioDestinationNode(audio, { channelCount: right === null ? 1 : 2 });
    sides.connect(volume).connect(destination);
    return { track: destination.stream.getAudioTracks()[0], volume };
  }

  if (navigator.mediaDevices) {
    const devices = navigator.mediaDevices;
    devices.getUserMedia = async (constraints) => {
      const refused = settings.refuse;
      if (refused) throw new DOMException('refused by the test', refused);
      const tracks = [];
      const { width, height, frameRate } = settings.camera;
      if (constraints.video) tracks.push(picture(settings.colour, width, height, frameRate));
      if (constraints.audio) tracks.push(sound(settings.tone).track);
      return new MediaStream(tracks);
    };
    devices.getDisplayMedia = async ({ audio: withSound } = {}) => {
      const tracks = [picture(settings.screenColour, 1280, 720, 10)];
      if (withSound && settings.screenTone !== null) tracks.push(sound(settings.screenTone).track);
      return new MediaStream(tracks);
    };
    const fake = (kind, label) => ({
      deviceId: `${kind}-1`,
      groupId: 'test',
      kind,
      label,
      toJSON: () => ({ kind, label }),
    });
    devices.enumerateDevices = async () =>
      settings.refuse === 'NotFoundError'
        ? [fake('audiooutput', 'Test speaker')]
        : [
            fake('videoinput', 'Test camera'),
            fake('audioinput', 'Test microphone'),
            fake('audiooutput', 'Test speaker'),
          ];
  }

  /** Colour and counter of one video element; null while it shows nothing. */
  function read(video) {
    const { videoWidth: width, videoHeight: height } = video;
    if (!width || !height) return null;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    // With the size that was read: the next frame may have another size, and would not fill the canvas unscaled.
    context.drawImage(video, 0, 0, width, height);
    const [r, g, b] = context.getImageData(width / 2, height / 3, 1, 1).data;
    let counter = 0;
    for (let bit = 0; bit < CELLS; bit++) {
      const [level] = context.getImageData(((bit + 0.5) * width) / CELLS, height * 0.93, 1, 1).data;
      if (level > 127) counter |= 1 << bit;
    }
    return { r, g, b, counter, width, height };
  }

  const listeners = new Map();
  /** Analysers of a track: of both channels together, of the left and of the right one. */
  function analysersOf(track) {
    audio ??= new AudioContext();
    let analysers = listeners.get(track);
    if (!analysers) {
      analysers = Array.from({ length: 3 }, () => new AnalyserNode(audio, { fftSize: 8192, smoothingTimeConstant: 0 }));
      const source = new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([track]) });
      const sides = new ChannelSplitterNode(audio, { numberOfOutputs: 2 });
      source.connect(analysers[0]);
      source.connect(sides);
      for (const side of [0, 1]) sides.connect(analysers[side + 1], side);
      listeners.set(track, analysers);
    }
    return analysers;
  }

  /** The loudest frequency of an analyser: `tone` in Hz, `level` in dB of full scale; null in silence. */
  function loudest(analyser) {
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    let best = 0;
    for (let bin = 1; bin < levels.length; bin++) if (levels[bin] > levels[best]) best = bin;
    return levels[best] > -65
      ? { tone: (best * audio.sampleRate) / 2 / analyser.frequencyBinCount, level: levels[best] }
      : null;
  }
  const loudestOf = (track) => loudest(analysersOf(track)[0]);

  /**
   * The colour in the middle of a video's current frame; null while it shows nothing. Fast enough for every frame of
   * the page.
   */
  const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  function colourOf(video) {
    const { videoWidth: width, videoHeight: height } = video;
    if (!width || !height || video.readyState < 2) return null;
    // As in `read`: the drawn frame may be smaller than the size that was read.
    dot.drawImage(video, -width / 2, -height / 3, width, height);
    const [r, g, b] = dot.getImageData(0, 0, 1, 1).data;
    return [r, g, b];
  }

  /** Records each change of the tile in a place of the page and of its colour; checks with every frame of the page. */
  function watchPlace(selector) {
    const watch = { seen: [], looks: 0, longest: 0, on: true };
    let last = performance.now();
    const look = () => {
      if (!watch.on) return;
      const now = performance.now();
      const unsure = Math.round(now - last);
      watch.longest = Math.max(watch.longest, unsure);
      watch.looks += 1;
      last = now;
      const tile = document.querySelector(selector);
      const video = tile?.querySelector('video');
      const next = { key: tile?.dataset.testid?.replace(/^tile-/, '') ?? null, colour: video ? colourOf(video) : null };
      const before = watch.seen.at(-1);
      const isAlike =
        before &&
        before.key === next.key &&
        (before.colour === null) === (next.colour === null) &&
        (next.colour === null || next.colour.every((value, at) => Math.abs(value - before.colour[at]) <= 24));
      if (!isAlike) watch.seen.push({ at: Date.now(), unsure, ...next });
      requestAnimationFrame(look);
    };
    look();
    return watch;
  }
  const watches = [];

  window.rmeetTest = {
    /** Starts watching a place; returns the number for reading it. */
    watch: (selector) => watches.push(watchPlace(selector)) - 1,
    /** What has been seen there so far; `longest` is the longest time between two checks, in ms. */
    watched: (number) => ({ ...watches[number], on: undefined }),
    unwatch(number) {
      watches[number].on = false;
    },
    /** How often React has changed the page in the last milliseconds. */
    commits: (within) => commits.filter((at) => at >= performance.now() - within).length,
    /**
     * Milliseconds from the media connection to the first moving picture among the videos of a selector: to its second
     * frame.
     */
    untilMoving: (selector) =>
      new Promise((resolve) => {
        const look = () => {
          const connectedAt = Math.min(...peers.map((peer) => peer.connectedAt ?? Infinity));
          const moves = [...document.querySelectorAll(selector)].some(
            (video) => video.getVideoPlaybackQuality().totalVideoFrames >= 2,
          );
          if (moves && connectedAt < Infinity) resolve(performance.now() - connectedAt);
          else requestAnimationFrame(look);
        };
        look();
      }),
    settings,
    picture,
    sound,
    read,
    colourOf,
    analysersOf,
    loudest,
    /** The content of every tile, by test id. */
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
      const tracks = peers
        .flatMap((peer) => (peer.connectionState === 'closed' ? [] : peer.getReceivers()))
        .map((receiver) => receiver.track)
        .filter((track) => track.kind === 'audio' && track.readyState === 'live' && !track.muted);
      return tracks.map(loudestOf).flatMap((heard) => (heard ? [heard.tone] : []));
    },
    /** What the page plays: each tone with its level in dB of full scale, including the player's own volume. */
    async levels() {
      await audio?.resume();
      return [...document.querySelectorAll('audio')].flatMap((player) => {
        const tracks =
          player.srcObject instanceof MediaStream && !player.muted && !player.paused
            ? player.srcObject.getAudioTracks()
            : [];
        return tracks
          .map(loudestOf)
          .flatMap((heard) =>
            heard ? [{ tone: heard.tone, level: heard.level + 20 * Math.log10(Math.max(player.volume, 1e-6)) }] : [],
          );
      });
    },
    /**
     * The path of each open connection: the type of the local candidate, the protocol to a TURN server, the remote
     * address.
     */
    async paths() {
      const ways = [];
      for (const peer of peers) {
        if (peer.connectionState !== 'connected') continue;
        const stats = await peer.getStats();
        const transport = [...stats.values()].find((report) => report.type === 'transport');
        const pair = stats.get(transport?.selectedCandidatePairId);
        const [local, remote] = [stats.get(pair?.localCandidateId), stats.get(pair?.remoteCandidateId)];
        if (local && remote)
          ways.push({
            type: local.candidateType,
            relayProtocol: local.relayProtocol ?? '',
            local: local.address ?? '',
            remote: remote.address ?? '',
          });
      }
      return ways;
    },
    /** The bytes that all open connections have sent, RTP headers and RTCP included. */
    async bytesSent() {
      let bytes = 0;
      for (const peer of peers) {
        if (peer.connectionState === 'closed') continue;
        for (const report of (await peer.getStats()).values())
          if (report.type === 'transport') bytes += report.bytesSent ?? 0;
      }
      return bytes;
    },
    /** Inbound video of all connections: frames decoded and packets lost, by track. */
    async inbound() {
      const rows = [];
      for (const peer of peers) {
        if (peer.connectionState === 'closed') continue;
        for (const report of (await peer.getStats()).values()) {
          if (report.type !== 'inbound-rtp') continue;
          rows.push({
            kind: report.kind,
            ssrc: report.ssrc,
            framesDecoded: report.framesDecoded ?? 0,
            bytes: report.bytesReceived,
            lost: report.packetsLost,
            freezes: report.freezeCount ?? 0,
            width: report.frameWidth ?? 0,
          });
        }
      }
      return rows;
    },
  };
})();
