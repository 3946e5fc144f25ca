// Runs in a page after call.js: a participant who claps once a second, visible and audible at the same moment, and a
// detector of the difference between picture and audio of it at the receiver. Controlled by
// packages/testkit/src/clapper.ts.
(() => {
  const CLAP_SECONDS = 0.12;
  const FRAME_MS = 1000 / 30;
  const PAIR_MS = 450;

  /** Detects when audio begins after silence. */
  const detector = `registerProcessor('claps', class extends AudioWorkletProcessor {
    #quiet = 0;
    process([input]) {
      const loud = input[0]?.some((sample) => Math.abs(sample) > 0.05) ?? false;
      if (loud && this.#quiet > sampleRate / 4) this.port.postMessage(currentTime);
      this.#quiet = loud ? 0 : this.#quiet + 128;
      return true;
    }
  });`;

  let watched;

  Object.assign(window.call, {
    /**
     * Publishes a picture of `size` {width, height} that is white, and a tone, during each clap. `options` as in
     * livekit-client.
     */
    async publishClaps({ width, height }, options = {}) {
      const audio = new AudioContext();
      await audio.resume();
      const gain = new GainNode(audio, { gain: 0 });
      const tone = new OscillatorNode(audio, { frequency: 1000 });
      const destination = new MediaStreamAudioDestinationNode(audio, { channelCount: 1 });
      tone.connect(gain).connect(destination);
      tone.start();
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      let frame = 0;
      let next = Math.ceil(audio.currentTime) + 1;
      setInterval(() => {
        if (audio.currentTime > next - 0.5) {
          gain.gain.setValueAtTime(0.4, next);
          gain.gain.setValueAtTime(0, next + CLAP_SECONDS);
          next += 1;
        }
        context.fillStyle = audio.currentTime % 1 < CLAP_SECONDS ? '#fff' : '#000';
        context.fillRect(0, 0, width, height);
        // there is always movement, or no frame would be sent
        context.fillStyle = '#808080';
        context.fillRect((frame++ * 8) % width, height * 0.9, 8, height * 0.1);
      }, FRAME_MS);
      const { localParticipant } = this.room();
      const [picture] = canvas.captureStream(30).getVideoTracks();
      await localParticipant.publishTrack(destination.stream.getAudioTracks()[0], {
        source: 'microphone',
        dtx: false,
        ...options,
      });
      await localParticipant.publishTrack(picture, { source: 'camera', ...options });
    },

    /** Records from now on when claps of a participant are seen and heard. */
    async watchClaps(identity) {
      const participant = this.room().remoteParticipants.get(identity);
      const [camera, microphone] = ['camera', 'microphone'].map(
        (source) => participant.getTrackPublication(source).track,
      );
      const video = camera.attachedElements[0];
      const sight = new OffscreenCanvas(16, 9).getContext('2d', { willReadFrequently: true });
      watched = { seen: [], heard: [] };
      let dark = false;
      const look = (now, { presentationTime }) => {
        sight.drawImage(video, 0, 0, 16, 9);
        const [level] = sight.getImageData(8, 3, 1, 1).data;
        if (level > 127 && dark) watched.seen.push(presentationTime);
        dark = level <= 127;
        video.requestVideoFrameCallback(look);
      };
      video.requestVideoFrameCallback(look);
      const audio = new AudioContext();
      await audio.resume();
      await audio.audioWorklet.addModule(URL.createObjectURL(new Blob([detector], { type: 'text/javascript' })));
      const ear = new AudioWorkletNode(audio, 'claps', { numberOfOutputs: 0 });
      ear.port.addEventListener('message', () => watched.heard.push(performance.now()));
      ear.port.start();
      new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([microphone.mediaStreamTrack]) }).connect(
        ear,
      );
    },
    /**
     * The delay of the audio of each clap against its picture since the last call, ms; claps without one of the two are
     * left out.
     */
    skews() {
      const { seen, heard } = watched;
      const skews = seen.flatMap((sight) => {
        const sound = heard.find((at) => Math.abs(at - sight) < PAIR_MS);
        return sound === undefined ? [] : [sound - sight];
      });
      watched.seen = [];
      watched.heard = [];
      return skews;
    },
  });
})();
