// Runs in a page after media.js and livekit-client: one participant, controlled by CallPage
// (packages/testkit/src/call-page.ts).
(() => {
  const { ExternalE2EEKeyProvider, Room, RoomEvent, Track, setLogLevel } = window.LivekitClient;
  setLogLevel('silent');
  const { settings, picture, sound, read, analysersOf, loudest } = window.rmeetTest;

  let room;
  let seen;
  let tones;
  let gaps;

  /** Codecs that this page declares as unsupported, such as `video/VP9`. */
  let refused = [];
  for (const method of ['createOffer', 'createAnswer']) {
    const create = RTCPeerConnection.prototype[method];
    RTCPeerConnection.prototype[method] = function (...args) {
      if (refused.length > 0) {
        const taken = RTCRtpReceiver.getCapabilities('video').codecs.filter(
          ({ mimeType }) => !refused.includes(mimeType),
        );
        for (const transceiver of this.getTransceivers()) {
          if (transceiver.direction === 'recvonly' && transceiver.receiver.track.kind === 'video')
            transceiver.setCodecPreferences(taken);
        }
      }
      return create.apply(this, args);
    };
  }

  /** Everything recorded so far belongs to the previous room. */
  function begin() {
    room = undefined;
    refused = [];
    seen = { events: [], log: [], messages: [], spoke: [], streams: [] };
    tones = new Map();
    gaps?.stop();
    gaps = undefined;
    document.body.replaceChildren();
  }
  begin();

  /** An argument of a room event in words: identities, sources and plain values; nothing about tracks. */
  function words(value) {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return [value.flatMap(words).join(',')];
    if (typeof value !== 'object') return [String(value)];
    if ('identity' in value) return [value.identity];
    if ('source' in value && 'trackSid' in value) return [value.source];
    return [];
  }

  function remotePublications(identity, source, kind) {
    return [...room.remoteParticipants.values()]
      .filter((participant) => !identity || participant.identity === identity)
      .flatMap((participant) =>
        [...participant.trackPublications.values()]
          .filter((publication) => (!source || publication.source === source) && (!kind || publication.kind === kind))
          .map((publication) => ({ participant, publication })),
      );
  }

  function localPublication(which) {
    const { localParticipant } = room;
    return [...localParticipant.trackPublications.values()].find(({ trackSid, source, trackName }) =>
      [trackSid, source, trackName].includes(which),
    );
  }

  function videoOf(publication) {
    return publication.track?.attachedElements.find((element) => element instanceof HTMLVideoElement);
  }

  /**
   * Measures the longest time without a new frame and without audio, in ms, of one participant's camera and microphone.
   */
  function watchGaps(identity) {
    const longest = { video: 0, audio: 0 };
    const last = { video: performance.now(), audio: performance.now() };
    const happened = (kind) => {
      const now = performance.now();
      longest[kind] = Math.max(longest[kind], now - last[kind]);
      last[kind] = now;
    };
    const samples = new Float32Array(512);
    let counter = -1;
    const timer = setInterval(() => {
      const [camera] = remotePublications(identity, 'camera');
      const video = camera && videoOf(camera.publication);
      const now = video?.getVideoPlaybackQuality().totalVideoFrames ?? counter;
      if (now !== counter) happened('video');
      counter = now;
      const [microphone] = remotePublications(identity, 'microphone');
      const track = microphone?.publication.track?.mediaStreamTrack;
      if (!track) return;
      analysersOf(track)[0].getFloatTimeDomainData(samples);
      if (samples.some((sample) => Math.abs(sample) > 0.02)) happened('audio');
    }, 20);
    return {
      stop() {
        clearInterval(timer);
        return {
          video: Math.max(longest.video, performance.now() - last.video),
          audio: Math.max(longest.audio, performance.now() - last.audio),
        };
      },
    };
  }

  /** Streams of a sender or a receiver, each with its codec. */
  async function streamsOf(owner, type) {
    const report = await owner?.getStats();
    return [...(report?.values() ?? [])]
      .filter((stats) => stats.type === type)
      .map((stats) => ({ stats, codec: report.get(stats.codecId)?.mimeType ?? '' }));
  }

  function about(participant) {
    const { identity, sid, name, metadata, attributes, permissions, isSpeaking, audioLevel, connectionQuality } =
      participant;
    const tracks = [...participant.trackPublications.values()].map((publication) => ({
      sid: publication.trackSid,
      source: publication.source,
      kind: publication.kind,
      name: publication.trackName,
      muted: publication.isMuted,
      mimeType: publication.mimeType ?? '',
      subscribed: publication.isSubscribed,
      status: publication.subscriptionStatus ?? '',
      streamState: publication.track?.streamState ?? '',
      encrypted: publication.isEncrypted,
    }));
    return {
      identity,
      sid,
      name: name ?? '',
      metadata: metadata ?? '',
      attributes,
      canPublish: permissions?.canPublish ?? true,
      isSpeaking,
      audioLevel,
      quality: connectionQuality,
      tracks,
    };
  }

  window.call = {
    room: () => room,
    /**
     * Joins; `encryption` is a passphrase for livekit-client's end-to-end encryption, `connect` its RoomConnectOptions,
     * `refuses` unsupported codecs.
     */
    async join(url, token, { connect, encryption, refuses = [], ...options } = {}) {
      refused = refuses;
      const keyProvider = encryption === undefined ? undefined : new ExternalE2EEKeyProvider();
      const e2ee = keyProvider && { keyProvider, worker: new Worker('/livekit-client.e2ee.worker.js') };
      room = new Room({ adaptiveStream: false, dynacast: false, ...(e2ee ? { encryption: e2ee } : {}), ...options });
      const mine = seen;
      for (const [name, event] of Object.entries(RoomEvent)) {
        room.on(event, (...args) => {
          mine.events.push(name === 'Disconnected' ? `${name} ${args[0]}` : name);
          mine.log.push([name, ...args.flatMap(words)].join(' '));
        });
      }
      room.on(RoomEvent.ActiveSpeakersChanged, (speakers) =>
        mine.spoke.push(...speakers.map((speaker) => speaker.identity)),
      );
      room.on(RoomEvent.DataReceived, (data, sender, kind, topic) => {
        const text = new TextDecoder().decode(data);
        const delivery = kind === 0 ? 'reliable' : 'lossy';
        mine.messages.push(`${sender?.identity ?? 'server'} ${delivery} ${topic ?? ''} ${text}`);
      });
      room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()));
      room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((element) => element.remove()));
      if (keyProvider) {
        await keyProvider.setKey(encryption);
        await room.setE2EEEnabled(true);
      }
      await room.connect(url, token, connect);
    },
    /** Leaves, if connected, and clears the state; the page can join another room. */
    async reset(media) {
      await room?.disconnect();
      Object.assign(settings, media);
      begin();
    },
    leave: async () => room.disconnect(),

    /** The page's tone as microphone and its colour as camera. */
    async publish(options) {
      await this.publishTone(settings.tone);
      await room.localParticipant.setCameraEnabled(true, undefined, options);
    },
    /**
     * A tone in Hz. `right`: another one on the right channel; `source`, `name` and so on as in TrackPublishOptions.
     * Returns the track's sid.
     */
    async publishTone(tone, { right, ...options } = {}) {
      const made = sound(tone, right ?? null);
      const { trackSid } = await room.localParticipant.publishTrack(made.track, {
        source: Track.Source.Microphone,
        ...options,
      });
      tones.set(trackSid, made);
      return trackSid;
    },
    /** A picture of a colour with a counter, of `size` {width, height, frameRate}. */
    async publishPicture(colour, size = {}, options = {}) {
      const { width, height, frameRate } = { ...settings.camera, ...size };
      const { trackSid } = await room.localParticipant.publishTrack(picture(colour, width, height, frameRate), {
        source: Track.Source.Camera,
        ...options,
      });
      return trackSid;
    },
    /** Sets the level of a tone: 0 is silence, 0.4 the initial level. */
    setLoudness(gain) {
      for (const { volume } of tones.values()) volume.gain.value = gain;
    },
    setMicrophone: async (on, options) =>
      void (await room.localParticipant.setMicrophoneEnabled(on, undefined, options)),
    setCamera: async (on, options) => void (await room.localParticipant.setCameraEnabled(on, undefined, options)),
    setScreen: async (on, capture) => void (await room.localParticipant.setScreenShareEnabled(on, capture)),
    /** `which`: the track's sid, name or source. */
    async mute(which, muted) {
      const publication = localPublication(which);
      await (muted ? publication.mute() : publication.unmute());
    },
    async unpublish(which) {
      await room.localParticipant.unpublishTrack(localPublication(which).track);
    },
    async unpublishVideo() {
      for (const { track } of room.localParticipant.videoTrackPublications.values())
        await room.localParticipant.unpublishTrack(track);
    },
    async share() {
      await this.publishPicture(
        settings.screenColour,
        { width: 800, height: 600, frameRate: 15 },
        { source: Track.Source.ScreenShare, simulcast: false },
      );
    },

    async send(text, options) {
      await room.localParticipant.publishData(new TextEncoder().encode(text), options);
    },
    async sendAll(texts, options) {
      for (const text of texts) await this.send(text, options);
    },
    /** Records text and byte streams of a topic: `<text|bytes> <sender> <topic> <name or nothing> <content>`. */
    listenToStreams(topic) {
      room.registerTextStreamHandler(topic, async (reader, { identity }) => {
        seen.streams.push(['text', identity, topic, '', await reader.readAll()].join(' '));
      });
      room.registerByteStreamHandler(topic, async (reader, { identity }) => {
        const bytes = await new Blob(await reader.readAll()).arrayBuffer();
        const digest = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
          .map((byte) => byte.toString(16).padStart(2, '0'))
          .join('');
        seen.streams.push(['bytes', identity, topic, reader.info.name, `${bytes.byteLength} ${digest}`].join(' '));
      });
    },
    async sendFile(name, bytes, options) {
      await room.localParticipant.sendFile(new File([new Uint8Array(bytes)], name), options);
    },
    /** Answers calls of a method with the caller and the reversed payload. */
    answerCalls(method) {
      room.registerRpcMethod(method, ({ callerIdentity, payload }) =>
        Promise.resolve(`${callerIdentity} ${[...payload].toReversed().join('')}`),
      );
    },

    /** Calls a method of the local participant, by name. */
    async local(method, ...values) {
      const result = await room.localParticipant[method](...values);
      return typeof result === 'string' ? result : undefined;
    },
    /** Calls a method on all tracks of one source of a participant. */
    remote(identity, source, method, ...values) {
      for (const { publication } of remotePublications(identity, source)) publication[method](...values);
    },
    /** How media goes: protocol and remote port of the candidate pair in use of each peer connection. */
    async paths() {
      const { publisher, subscriber } = room.engine.pcManager;
      const reports = await Promise.all([publisher?.getStats(), subscriber?.getStats()]);
      return reports.flatMap((report) => {
        const all = [...(report?.values() ?? [])];
        const transport = all.find(({ type }) => type === 'transport');
        const pair = report?.get(transport?.selectedCandidatePairId);
        const [local, remote] = [report?.get(pair?.localCandidateId), report?.get(pair?.remoteCandidateId)];
        return pair ? [{ protocol: local.protocol, port: remote.port }] : [];
      });
    },
    simulate: async (scenario, value) => room.simulateScenario(scenario, value),
    setQuality(quality) {
      for (const { publication } of remotePublications(null, null, 'video')) publication.setVideoQuality(quality);
    },
    setSubscribed(subscribed) {
      for (const { publication } of remotePublications()) publication.setSubscribed(subscribed);
    },
    setName: async (name) => room.localParticipant.setName(name),
    allowSubscribers: (all, permissions) => room.localParticipant.setTrackSubscriptionPermissions(all, permissions),
    /** The size at which a page shows a participant's video, in CSS pixels; 0 hides it. */
    showAt(identity, width, height) {
      for (const { publication } of remotePublications(identity, null, 'video')) {
        const video = videoOf(publication);
        video.style.cssText =
          width === 0 ? 'display: none' : `position: fixed; left: 0; top: 0; width: ${width}px; height: ${height}px`;
      }
    },

    state() {
      return {
        ...seen,
        sid: room.localParticipant.sid,
        connection: room.state,
        metadata: room.metadata ?? '',
        microphone: room.localParticipant.isMicrophoneEnabled,
        remotes: Object.fromEntries(
          [...room.remoteParticipants.values()].map(({ identity, name }) => [identity, name]),
        ),
        quality: room.localParticipant.connectionQuality,
        recording: room.isRecording,
        speakers: room.activeSpeakers.map(({ identity, audioLevel }) => ({ identity, level: audioLevel })),
        me: about(room.localParticipant),
        others: [...room.remoteParticipants.values()].map(about),
      };
    },
    /** The displayed content of each video. */
    pictures: () =>
      remotePublications(null, null, 'video').flatMap(({ participant, publication }) => {
        const video = videoOf(publication);
        const shown = video && read(video);
        return shown
          ? [
              {
                from: participant.identity,
                source: publication.source,
                sid: publication.trackSid,
                frames: video.getVideoPlaybackQuality().totalVideoFrames,
                ...shown,
              },
            ]
          : [];
      }),
    /** The loudest tone of each audio track: in both channels together, in the left and in the right one. */
    async sounds() {
      const heard = remotePublications(null, null, 'audio').flatMap(({ participant, publication }) => {
        const track = publication.track?.mediaStreamTrack;
        if (!track) return [];
        const [both, left, right] = analysersOf(track).map(loudest);
        return both
          ? [
              {
                from: participant.identity,
                source: publication.source,
                tone: both.tone,
                level: both.level,
                left: left?.tone ?? 0,
                right: right?.tone ?? 0,
              },
            ]
          : [];
      });
      return heard;
    },
    async received() {
      const list = [];
      for (const { participant, publication } of remotePublications()) {
        for (const { stats, codec } of await streamsOf(publication.track?.receiver, 'inbound-rtp')) {
          list.push({
            kind: publication.kind,
            source: publication.source,
            from: participant.identity,
            codec,
            framesDecoded: stats.framesDecoded ?? 0,
            frameWidth: stats.frameWidth ?? 0,
            freezes: stats.freezeCount ?? 0,
            freezeSeconds: stats.totalFreezesDuration ?? 0,
            packetsReceived: stats.packetsReceived,
            bytesReceived: stats.bytesReceived,
            audioEnergy: stats.totalAudioEnergy ?? 0,
            lost: stats.packetsLost ?? 0,
            retransmitted: stats.retransmittedPacketsReceived ?? 0,
            concealed: (stats.concealedSamples ?? 0) - (stats.silentConcealedSamples ?? 0),
            samples: stats.totalSamplesReceived ?? 0,
          });
        }
      }
      return list;
    },
    /** The sent RTP streams, with simulcast one per layer. */
    async sent() {
      const list = [];
      for (const publication of room.localParticipant.trackPublications.values()) {
        const { track } = publication;
        const senders = [
          track?.sender,
          ...[...(track?.simulcastCodecs?.values() ?? [])].map(({ sender }) => sender),
        ].filter(Boolean);
        for (const sender of senders) {
          for (const { stats, codec } of await streamsOf(sender, 'outbound-rtp')) {
            list.push({
              source: publication.source,
              kind: publication.kind,
              codec,
              rid: stats.rid ?? '',
              active: stats.active ?? true,
              width: stats.frameWidth ?? 0,
              frames: stats.framesEncoded ?? 0,
              packets: stats.packetsSent,
              bytes: stats.bytesSent,
              retransmitted: stats.retransmittedPacketsSent ?? 0,
              scalability: stats.scalabilityMode ?? '',
            });
          }
        }
      }
      return list;
    },
    /** The browser's estimate of its sending bandwidth in bits per second; 0 while unknown. */
    async mayBeSent() {
      for (const { track } of room.localParticipant.trackPublications.values()) {
        for (const { stats } of await streamsOf(track?.sender, 'candidate-pair'))
          if (stats.availableOutgoingBitrate) return stats.availableOutgoingBitrate;
      }
      return 0;
    },
    watchGaps(identity) {
      gaps = watchGaps(identity);
    },
    /** The longest gaps since `watchGaps`, in ms. */
    endGaps: () => gaps.stop(),
  };
})();
