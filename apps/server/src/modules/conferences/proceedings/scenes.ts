import type { ConferenceControl, Scene, SceneSettings } from '@rmeet/conference';
import type { Data, contract } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { Control } from '../control/control.ts';
import { SERVER, type ControlContext, type Standing } from '../control/authorization.ts';
import { publishToDesks } from '../desk/events.ts';
import { findPresent, findRunning, findTerminals } from '../repo.ts';
import type { ConferenceRow, SceneRow, TerminalRow } from '../tables.ts';
import { presentScene } from './present.ts';
import { deleteScene, findDueScenes, findScene, findScenes, insertScene, takeDueScene, updateScene } from './repo.ts';

/** Scenes of one meeting. */
const MOST = 50;
/** A scene whose time passed while nobody looked is not made up later than this, ms. */
const LATE = 60_000;

export interface ScenesDeps {
  db: Db;
  push: Push;
  control: Control;
  now: () => Date;
}

/**
 * What a person is known by in other conferences of the meeting: the account, the mark of the browser, else nothing but
 * this presence.
 */
function personOf({ termId, accountId, deviceMark }: TerminalRow): string {
  if (accountId !== null) return `U${accountId}`;
  return deviceMark === null ? termId : `D${deviceMark}`;
}

/** How the conference is now. */
function settingsOf({
  layout,
  window,
  mode,
  speakerId,
  locked,
  contentLockId,
  banner,
  polling,
  terminals,
}: ConferenceControl): SceneSettings {
  const isChosen = mode !== 'POLLING' && mode !== 'LECTURE';
  const chosen = isChosen ? { mode, speakerId } : (polling?.resumes ?? { mode: 'AUTO' as const, speakerId: null });
  const muted = Object.fromEntries(
    Object.entries(terminals).flatMap(([termId, entry]) => (entry.present ? [[termId, entry.muted]] : [])),
  );
  return { layout, window, ...chosen, muted, locked, contentLockId, banner };
}

/** termIds that settings name. */
function termIdsIn({ layout, speakerId, contentLockId, muted }: SceneSettings): string[] {
  return [
    ...new Set([
      ...layout.seats.map(({ source }) => source),
      speakerId ?? '',
      contentLockId ?? '',
      ...Object.keys(muted),
    ]),
  ].filter((termId) => termId !== '');
}

/**
 * The settings for who is inside now: the same people by the termIds they have. Seats of those who are not there keep
 * their name.
 */
function resolved({ settings, people }: SceneRow, inside: readonly TerminalRow[], now: Date): SceneSettings {
  const byPerson = new Map(inside.toReversed().map((row) => [personOf(row), row.termId]));
  const here = new Set(inside.map(({ termId }) => termId));
  const found = (termId: string): string | undefined =>
    here.has(termId) ? termId : byPerson.get(people[termId] ?? '');
  const { layout, speakerId, contentLockId, muted, banner, ...rest } = settings;
  return {
    ...rest,
    layout: { ...layout, seats: layout.seats.map(({ seat, source }) => ({ seat, source: found(source) ?? source })) },
    speakerId: speakerId === null ? null : (found(speakerId) ?? null),
    contentLockId: contentLockId === null ? null : (found(contentLockId) ?? null),
    muted: Object.fromEntries(
      Object.entries(muted).flatMap(([termId, held]) =>
        [found(termId)].flatMap((id) => (id === undefined ? [] : [[id, held] as const])),
      ),
    ),
    // Its time runs anew.
    banner: banner && {
      ...banner,
      since: now.toISOString(),
      until:
        banner.until === null
          ? null
          : new Date(now.getTime() + Date.parse(banner.until) - Date.parse(banner.since)).toISOString(),
    },
  };
}

/** How a conference was, kept under names, and brought back by one command. */
export function createScenes({ db, push, control, now }: ScenesDeps) {
  async function tellDesks(tx: TenantTx, conference: ConferenceRow): Promise<void> {
    await publishToDesks(push, tx, conference, {
      type: 'scenesChanged',
      scenes: (await findScenes(tx, conference.meetingId)).map(presentScene),
    });
  }

  async function kept(tx: TenantTx, { control: state }: ConferenceRow): Promise<Pick<SceneRow, 'settings' | 'people'>> {
    const settings = settingsOf(state);
    const rows = await findTerminals(tx, termIdsIn(settings));
    return { settings, people: Object.fromEntries(rows.map((row) => [row.termId, personOf(row)])) };
  }

  async function mustBeFree(tx: TenantTx, meetId: string, name: string, except?: string): Promise<void> {
    const scenes = await findScenes(tx, meetId);
    if (scenes.some((one) => one.name === name && one.id !== except)) throw new AppError('SCENE_NAME_TAKEN', { name });
    if (except === undefined && scenes.length >= MOST) throw new AppError('SCENES_FULL', { limit: MOST });
  }

  async function mustFind(tx: TenantTx, meetId: string, sceneId: string): Promise<SceneRow> {
    const row = await findScene(tx, meetId, sceneId);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** A change to the scenes of a meeting whose conference runs; desks are told. */
  async function change<T>(
    context: ControlContext,
    meetId: string,
    act: (tx: TenantTx, standing: Standing) => Promise<{ result: T; about: string }>,
  ): Promise<T> {
    return db.tenant(context.caller.tenantId, async (tx) => {
      const standing = await control.commanding(tx, context, meetId, 'scene');
      const { result, about } = await act(tx, standing);
      await tellDesks(tx, standing.conference);
      const meeting = await findMeeting(tx, meetId);
      await recordAudit(tx, context, now(), {
        target: { kind: 'conference', id: standing.conference.id, name: meeting?.subject ?? '' },
        after: { scene: about },
      });
      return result;
    });
  }

  async function inside(tx: TenantTx, conference: ConferenceRow): Promise<TerminalRow[]> {
    return (await findPresent(tx, [conference.id])).filter(({ state }) => state === 'admitted');
  }

  return {
    list: (context: ControlContext, meetId: string): Promise<Scene[]> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        await control.commanding(tx, context, meetId, 'scene');
        return (await findScenes(tx, meetId)).map(presentScene);
      }),

    /** Keeps how the conference is. Throws SCENE_NAME_TAKEN, SCENES_FULL. */
    save: (
      context: ControlContext,
      meetId: string,
      { name, at }: { name: string; at: string | null },
    ): Promise<Scene> =>
      change(context, meetId, async (tx, { conference }) => {
        await mustBeFree(tx, meetId, name);
        const row = {
          id: newId(),
          meetingId: meetId,
          name,
          ...(await kept(tx, conference)),
          at: at === null ? null : new Date(at),
          appliedAt: null,
          createdAt: now(),
        };
        await insertScene(tx, row);
        return { result: presentScene({ ...row, tenantId: conference.tenantId }), about: name };
      }),

    /** Another name or time, or how the conference is now. A new time is one to come. */
    update: (
      context: ControlContext,
      meetId: string,
      sceneId: string,
      { name, at, again }: { name?: string | undefined; at?: string | null | undefined; again: boolean },
    ): Promise<Data<typeof contract.conferences.changeScene>> =>
      change(context, meetId, async (tx, { conference }) => {
        const row = await mustFind(tx, meetId, sceneId);
        if (name !== undefined) await mustBeFree(tx, meetId, name, sceneId);
        const set = {
          ...(name === undefined ? {} : { name }),
          ...(at === undefined ? {} : { at: at === null ? null : new Date(at), appliedAt: null }),
          ...(again ? await kept(tx, conference) : {}),
        };
        if (Object.keys(set).length > 0) await updateScene(tx, sceneId, set);
        return { result: presentScene({ ...row, ...set }), about: set.name ?? row.name };
      }),

    remove: (context: ControlContext, meetId: string, sceneId: string): Promise<null> =>
      change(context, meetId, async (tx) => {
        const { name } = await mustFind(tx, meetId, sceneId);
        await deleteScene(tx, sceneId);
        return { result: null, about: name };
      }),

    apply: (context: ControlContext, meetId: string, sceneId: string) =>
      control.command(context, meetId, 'scene', async ({ conference }, tx) => {
        const row = await mustFind(tx, meetId, sceneId);
        return { verb: 'scene', sceneId, name: row.name, settings: resolved(row, await inside(tx, conference), now()) };
      }),

    /** Applies scenes whose time has come, where their meeting runs. */
    async applyDue(running: readonly ConferenceRow[]): Promise<void> {
      const at = now();
      const byMeeting = new Map(running.map((one) => [one.meetingId, one]));
      const due = (await db.platform((tx) => findDueScenes(tx, new Date(at.getTime() - LATE), at))).filter(
        ({ meetingId }) => byMeeting.has(meetingId),
      );
      for (const row of due) {
        await db.tenant(row.tenantId, async (tx) => {
          const conference = await findRunning(tx, row.meetingId, true);
          if (!conference || row.at === null || !(await takeDueScene(tx, row.id, row.at, at))) return;
          await control.execute(
            tx,
            conference,
            {
              verb: 'scene',
              sceneId: row.id,
              name: row.name,
              settings: resolved(row, await inside(tx, conference), at),
            },
            SERVER,
            null,
          );
          await tellDesks(tx, conference);
        });
      }
    },
  };
}

export type Scenes = ReturnType<typeof createScenes>;
