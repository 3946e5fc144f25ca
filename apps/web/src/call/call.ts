import { NO_CONTROL, SILENCE } from '@rmeet/conference';
import type { Admission, ConferenceEvent, ConferenceState, ControlStep, WaitingEvent } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import type { Obeyed } from '../lib/push/index.ts';
import { backoffDelay, pause } from './backoff.ts';
import { clockAhead } from './clock.ts';
import { coalesced, FRAME } from './throttle.ts';
import { isBlindTo } from './codecs.ts';
import type { CallEnd, CallNotice, CallPorts, CallSnapshot } from './call-types.ts';
import { Chat } from './chat.ts';
import { ConferenceLink } from './conference-link.ts';
import { endOf, isBeforeTime } from './call-end.ts';
import { enterUntilAnswered } from './enter.ts';
import { Floor } from './active-speakers.ts';
import { GoingOver } from './room-migration.ts';
import type { LocalMedia } from './local-media.ts';
import type { CameraOptions, MediaSession, MediaSource, OpenMediaSession, Refusal } from './media-types.ts';
import { noticeOf, type Told } from './notices.ts';
import { FREE, heldOf, HOLDABLE, isMet, isOnAir, outgoingOf, sourcesOf, volumeIn, whyNotFreed } from './moderation.ts';
import { PictureRequests } from './pictures.ts';
import { startReports } from './reporter.ts';
import { Store, type ReadableStore } from './store.ts';
import { buildTiles, ownMediaOf } from './tiles.ts';

type Admitted = Admission & { state: 'admitted' };

/** How somebody stands who is not in yet, or not any more. */
const OUTSIDE = {
  phase: 'waiting',
  media: 'connecting',
  conference: null,
  control: NO_CONTROL,
  held: FREE,
  onAir: false,
  unmuteAsked: false,
  contentAsked: false,
} as const;

const NOTICES_KEPT = 30;
/** Milliseconds after which a media session counts as one that worked. */
const LASTING = 5_000;

/**
 * One terminal's part in one conference, from admission to its end. It owns the media sessions and the push socket,
 * borrows the local media, and keeps both connections up: the media client mends what it can, and when it gives up a
 * new session is entered, for as long as the conference runs.
 */
export class Call {
  readonly #ports: CallPorts;
  readonly #local: LocalMedia;
  readonly #meetId: string;
  readonly #termId: string;
  readonly #name: string;
  readonly #lifetime = new AbortController();
  /** Tells of changes a picture later: a command is obeyed and acknowledged first, and drawn then. */
  readonly #store = new Store<CallSnapshot>(
    {
      ...OUTSIDE,
      end: null,
      reason: '',
      canReturn: true,
      sentBack: false,
      awaitsHost: false,
      push: 'connecting',
      tiles: [],
      speakers: SILENCE,
      outgoing: [],
      unread: 0,
      audioBlocked: false,
      blind: false,
      unreached: [],
      notices: [],
      clockAhead: null,
    },
    FRAME,
  );
  readonly #chat: Chat;
  /** The media client tells many changes in one go; they make one refresh. */
  readonly #planRefresh = coalesced(() => this.#refresh(), FRAME);
  readonly #floor = new Floor((speakers) => {
    this.#store.set({ speakers });
    this.#planRefresh();
  });
  /** From being let in to leaving or being sent back. */
  #stay = new AbortController();
  /** What the stage shows, or will at the next turn. */
  readonly pictures = new PictureRequests((asked) => this.#session?.ask(asked));
  readonly #goingOver: GoingOver;
  #session: MediaSession | null = null;
  #link: ConferenceLink | null = null;
  #speakerId: string | null = null;
  #notices = 0;

  /** `name` is shown for ourselves until the conference state tells it. */
  constructor(admission: Admission, name: string, local: LocalMedia, ports: CallPorts) {
    this.#ports = ports;
    this.#local = local;
    this.#meetId = admission.meetId;
    this.#termId = admission.termId;
    this.#name = name;
    this.#goingOver = new GoingOver(ports.api, this.#meetId);
    this.#chat = new Chat(this.#store, ports.api, this.#meetId, this.#termId);
    const stopListening = local.store.subscribe(() => this.#localChanged());
    this.#lifetime.signal.addEventListener('abort', stopListening);
    this.#openPush();
    if (admission.state === 'admitted') this.#activate(admission);
    else this.#store.set({ awaitsHost: admission.awaitsHost });
  }

  get store(): ReadableStore<CallSnapshot> {
    return this.#store;
  }

  get meetId(): string {
    return this.#meetId;
  }

  get termId(): string {
    return this.#termId;
  }

  get #state(): CallSnapshot {
    return this.#store.getSnapshot();
  }

  /** Leaves, and tells the server so. */
  async leave(): Promise<void> {
    if (this.#state.phase === 'over') return;
    this.#finish('left');
    try {
      await this.#ports.api.leave({ params: { meetId: this.#meetId } });
    } catch (error) {
      // The server also learns it from the closed connections; only something unforeseen is worth a word.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Ends the conference for everybody. Rejects when the server does not allow it. */
  async end(): Promise<void> {
    const { conference, clockAhead: ahead } = this.#state;
    await this.#ports.api.end({ params: { meetId: this.#meetId } });
    this.#finish(isBeforeTime(conference, Date.now() + (ahead ?? 0)) ? 'early' : 'ended');
  }

  /** The conference's calls as this terminal may make them; what a chair commands goes straight through. */
  get api(): CallPorts['api'] {
    return this.#ports.api;
  }

  /**
   * Lifts our own hold where the chair allows it or has asked for it, and switches the microphone on. Rejects with
   * SELF_UNMUTE_FORBIDDEN.
   */
  async unmute(): Promise<void> {
    await this.#ports.api.selfUnmute({ params: { meetId: this.#meetId } });
    await this.#local.setOn('microphone', true);
  }

  /** Somebody waiting leaves the chair one message. Rejects with MESSAGE_SENT_ALREADY. */
  async knock(text: string): Promise<void> {
    await this.#ports.api.knock({ params: { meetId: this.#meetId }, body: { text } });
  }

  async raiseHand(raised: boolean): Promise<void> {
    await this.#ports.api.hand({ params: { meetId: this.#meetId }, body: { raised } });
  }

  /** `reason` is what the refused are told. */
  async admit(termIds: string[], admit: boolean, reason = ''): Promise<void> {
    await this.#ports.api.admit({ params: { meetId: this.#meetId }, body: { termIds, admit, reason } });
  }

  /** Says something in the chat; a message that does not go out stays in `outgoing` as failed. */
  say(text: string, id?: string): Promise<void> {
    return this.#chat.say(text, id);
  }

  /** While the chat is open nothing in it counts as unread. */
  setChatOpen(open: boolean): void {
    this.#chat.setOpen(open);
  }

  /** Lets the sound out; called from a click. */
  async startAudio(): Promise<void> {
    await this.#session?.startAudio();
  }

  #activate(admission: Admitted): void {
    this.#store.set({ phase: 'active', sentBack: false, awaitsHost: false, blind: isBlindTo(admission.camera.codec) });
    this.#stay = new AbortController();
    this.#refresh();
    void this.#runMedia(admission, this.#stay.signal);
  }

  #finish(end: CallEnd, more: Partial<Pick<CallSnapshot, 'reason' | 'canReturn'>> = {}): void {
    if (this.#lifetime.signal.aborted) return;
    this.#lifetime.abort();
    this.#stay.abort();
    this.#floor.stop();
    this.pictures.close();
    this.#link?.close();
    void this.#session?.stop();
    this.#store.set({ phase: 'over', end, ...more });
  }

  // --- media

  /** One media session after the other until the call is over, or we are sent back. */
  async #runMedia(first: Admitted, stay: AbortSignal): Promise<void> {
    const openSession = await this.#ports.loadMedia();
    let admission = first;
    /** Sessions in a row that did not last. */
    let brief = 0;
    while (!stay.aborted) {
      const started = Date.now();
      this.#goingOver.begin(admission.generation);
      const session = this.#openSession(openSession, admission.camera);
      const reporter = startReports(session, {
        handleReport: (report) => this.#link?.report(report),
        handleUnreached: (unreached) => this.#store.set({ unreached }),
        isSpeaking: () => this.#floor.state.speaking.has(this.#termId),
      });
      const end = await session.run(admission.url, admission.token);
      reporter.stop();
      if (stay.aborted) return;
      this.#session = null;
      if (end === 'elsewhere') {
        this.#finish('elsewhere');
        return;
      }
      this.#store.set({ media: this.#state.media === 'connecting' ? 'connecting' : 'reconnecting' });
      this.#refresh();
      brief = end === 'removed' || Date.now() - started < LASTING ? brief + 1 : 0;
      await pause(backoffDelay(brief), stay);
      const next = await this.#enter(stay);
      if (next === null) return;
      admission = next;
    }
  }

  /** A session that has all there is to obey from its first moment on. */
  #openSession(open: OpenMediaSession, camera: CameraOptions): MediaSession {
    const session = open(
      {
        onChange: () => this.#planRefresh(),
        onSpeakers: (termIds) => this.#floor.heard(termIds),
        onState: (media) => this.#store.set({ media }),
        onAudioBlocked: (audioBlocked) => this.#store.set({ audioBlocked }),
        onRefused: (source, why) => this.#refused(source, why),
      },
      { camera },
    );
    const { control } = this.#state;
    this.#session = session;
    session.setVolumes(volumeIn(control));
    session.ask(this.pictures.asked);
    void session.limit(control.terminals[this.#termId]?.maxHeight ?? null);
    this.#localChanged();
    return session;
  }

  /** A media token; null when the call is over instead, or we are to wait. */
  async #enter(signal: AbortSignal): Promise<Admitted | null> {
    const answer = await enterUntilAnswered(this.#ports.api, this.#meetId, signal);
    if (answer === null || signal.aborted) return null;
    if (typeof answer === 'string') this.#finish(answer);
    else if (answer.state === 'admitted') return answer;
    else if (this.#state.phase === 'active') this.#sendBack();
    else this.#store.set({ awaitsHost: answer.awaitsHost });
    return null;
  }

  #localChanged(): void {
    const { speakerId } = this.#local.store.getSnapshot();
    this.#publish();
    if (this.#session !== null && speakerId !== this.#speakerId) {
      this.#speakerId = speakerId;
      void this.#session.setSpeaker(speakerId);
    }
    this.#planRefresh();
  }

  #publish(): void {
    this.#session?.publish(outgoingOf(this.#local.store.getSnapshot(), this.#state.held));
  }

  #refused(source: MediaSource, why: Refusal): void {
    // The engine may know of a hold before we do.
    if (source === 'screen') this.#local.stopShare();
    else if (source !== 'screenAudio' && this.#state.held[source]) return;
    if (source === 'camera' || source === 'microphone') void this.#local.setOn(source, false);
    this.#notify({ kind: 'refused', source, why });
  }

  // --- conference

  #openPush(): void {
    this.#link?.close();
    this.#link = new ConferenceLink(this.#ports.openPush(), this.#meetId, {
      onState: async (conference) => {
        if (this.#state.phase === 'waiting') {
          // Let in while the socket was away.
          await this.#admitted();
          return null;
        }
        await this.#follow(conference);
        return this.#done(HOLDABLE);
      },
      onEvent: (event, conference, before) => this.#happened(event, conference, before),
      onWaiting: (event) => this.#directed(event),
      onLive: () => void (this.#state.phase === 'waiting' && this.#admitted()),
      onLink: (push) => this.#store.set({ push }),
      onRefused: () => void this.#pushRefused(),
    });
  }

  /** Told to this terminal alone. */
  #directed(event: WaitingEvent): void {
    if (event.type === 'admitted') void this.#admitted();
    else if (event.type === 'sentBack') this.#sendBack();
    else if (event.type === 'waitChanged') this.#store.set({ awaitsHost: event.awaitsHost });
    else if (event.type === 'refused') this.#finish('refused', { reason: event.reason });
    else if (event.type === 'removed') this.#finish('removed', { canReturn: event.canReturn });
    else this.#finish(endOf(event));
  }

  async #admitted(): Promise<void> {
    const admission = await this.#enter(this.#lifetime.signal);
    // Both an event and a snapshot may tell that we are let in; two stays of one terminal would put each other out.
    if (admission === null || this.#state.phase === 'active') return;
    // The socket of somebody waiting gets no state; a new one does.
    this.#openPush();
    this.#activate(admission);
  }

  /** Back to the waiting room: nothing goes out or comes in any more, until we are admitted again. */
  #sendBack(): void {
    this.#stay.abort();
    void this.#session?.stop();
    this.#session = null;
    this.#local.stopShare();
    this.#store.set({ ...OUTSIDE, sentBack: true });
    this.#floor.stop();
    this.#refresh();
    this.#openPush();
  }

  /** `enter` tells why; where it sees nothing wrong, the socket is opened anew. */
  async #pushRefused(): Promise<void> {
    this.#store.set({ push: 'reconnecting' });
    const waiting = this.#state.phase === 'waiting';
    const admission = await this.#enter(this.#lifetime.signal);
    if (this.#lifetime.signal.aborted) return;
    this.#openPush();
    if (waiting && admission !== null && this.#state.phase === 'waiting') this.#activate(admission);
  }

  /** Commands that concern us are acknowledged when they are obeyed. */
  #happened(event: ConferenceEvent, conference: ConferenceState, before: ConferenceState): Obeyed | undefined {
    if ('step' in event) this.#store.set({ clockAhead: clockAhead(this.#state.clockAhead, event.step.at, Date.now()) });
    const followed = this.#follow(conference);
    const notice = noticeOf(event, before, this.#termId);
    if (notice !== null && !(notice.kind === 'chat' && this.#chat.isOpen)) this.#notify(notice);
    if (event.type === 'ended') this.#finish(endOf(event));
    return 'step' in event && event.step.concerned.includes(this.#termId)
      ? this.#obey(event.step, followed)
      : undefined;
  }

  /**
   * Brings everything in line with the state; resolves when our camera's layers are, which the browser does in its own
   * time.
   */
  async #follow(conference: ConferenceState): Promise<void> {
    const { control: before, conference: old, held } = this.#state;
    const { control } = conference;
    const own = control.terminals[this.#termId];
    this.#store.set({
      conference,
      control,
      held: heldOf(control, this.#termId, held),
      onAir: isOnAir(control, this.#termId),
      unmuteAsked: own?.unmuteAsked ?? false,
      contentAsked: own?.contentAsked ?? false,
    });
    this.#chat.follow(conference, old);
    this.#endHeldShare(held.content);
    this.#publish();
    this.#refresh();
    void this.#goingOver.follow(control.generation, this.#session);
    if (control.terminals === before.terminals) return;
    this.#session?.setVolumes(volumeIn(control));
    await this.#session?.limit(own?.maxHeight ?? null);
  }

  /**
   * What is held is not shared; sharing begins anew, by the person, once it may. The engine may have ended it just
   * before.
   */
  #endHeldShare(before: CallSnapshot['held']['content']): void {
    const {
      held: { content },
      notices,
    } = this.#state;
    const { screen } = this.#local.store.getSnapshot();
    if (content === null) return;
    const last = notices.at(-1);
    const wasEnded = before === null && last?.kind === 'refused' && last.source === 'screen';
    if (screen.video !== null || wasEnded) this.#notify({ kind: 'shareEnded', why: content });
    if (screen.video !== null || screen.pending) this.#local.stopShare();
  }

  /** Resolves when what a step holds is off and what it frees is sent again. */
  async #obey(step: ControlStep, followed: Promise<void>): Obeyed {
    await followed;
    return (
      whyNotFreed(step, this.#local.store.getSnapshot(), this.#state.held) ??
      this.#done(
        sourcesOf(step),
        step.changes.some(({ field }) => field === 'generation'),
      )
    );
  }

  /** Resolves when the media is in the newest room, and there as it is to be. */
  async #done(sources: readonly MediaSource[], isMove = false): Obeyed {
    const session = this.#session;
    const moved = await this.#goingOver.follow(this.#state.control.generation, session);
    if (typeof moved === 'string') return this.#session === session ? moved : null;
    return (await isMet(session, sources, () => this.#session !== session)) ?? (isMove ? moved : null);
  }

  #notify(notice: Told): void {
    const numbered: CallNotice = { ...notice, id: ++this.#notices };
    this.#store.set({ notices: [...this.#state.notices, numbered].slice(-NOTICES_KEPT) });
  }

  // --- pictures

  #refresh(): void {
    if (this.#lifetime.signal.aborted) return;
    const { conference, held, speakers, tiles: previous } = this.#state;
    const tiles = buildTiles({
      conference,
      participants: this.#session?.participants() ?? [],
      own: { termId: this.#termId, name: this.#name, ...ownMediaOf(this.#local, held, this.#session) },
      speaking: speakers.speaking,
      previous,
    });
    this.#store.set({ tiles });
    this.#floor.keep(new Set(tiles.map((tile) => tile.termId)));
  }
}
