import type { ConferenceCommand, Scene } from '@rmeet/conference';
import type { CommandAnswer, Data, contract } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { Control } from '../control/control.ts';
import { SERVER, type ControlContext, type Authorization } from '../control/authorization.ts';
import { publishToDesks } from '../desk/events.ts';
import { findPresent, findRunning, findTerminals } from '../repo.ts';
import type { ConferenceRow, SceneRow } from '../tables.ts';
import { presentScene } from './present.ts';
import { deleteScene, findDueScenes, findScene, findScenes, insertScene, takeDueScene, updateScene } from './repo.ts';
import { personOf, resolved, settingsOf, termIdsIn } from './scene-settings.ts';

/** Scenes per meeting. */
const MAX_SCENES = 50;
/** A scene that was missed, for example during a restart, is applied at most this late, ms. */
const MAX_DELAY = 60_000;

export interface ScenesDeps {
  db: Db;
  push: Push;
  control: Control;
  now: () => Date;
}

/** Sends desks the scenes of a meeting. */
async function notifyDesks(push: Push, tx: TenantTx, conference: ConferenceRow): Promise<void> {
  await publishToDesks(push, tx, conference, {
    type: 'scenesChanged',
    scenes: (await findScenes(tx, conference.meetingId)).map(presentScene),
  });
}

/** The current settings, and the people that their termIds belong to. */
async function currentSettings(
  tx: TenantTx,
  { control }: ConferenceRow,
): Promise<Pick<SceneRow, 'settings' | 'people'>> {
  const settings = settingsOf(control);
  const rows = await findTerminals(tx, termIdsIn(settings));
  return { settings, people: Object.fromEntries(rows.map((row) => [row.termId, personOf(row)])) };
}

/** @throws AppError SCENE_NAME_TAKEN, and for a new scene SCENES_FULL */
async function checkName(tx: TenantTx, meetId: string, name: string, except?: string): Promise<void> {
  const scenes = await findScenes(tx, meetId);
  if (scenes.some((one) => one.name === name && one.id !== except)) throw new AppError('SCENE_NAME_TAKEN', { name });
  if (except === undefined && scenes.length >= MAX_SCENES) throw new AppError('SCENES_FULL', { limit: MAX_SCENES });
}

/** @throws AppError NOT_FOUND */
async function mustFind(tx: TenantTx, meetId: string, sceneId: string): Promise<SceneRow> {
  const row = await findScene(tx, meetId, sceneId);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** The command that applies a scene to the terminals inside now. */
async function sceneCommand(
  tx: TenantTx,
  conference: ConferenceRow,
  row: SceneRow,
  now: Date,
): Promise<Extract<ConferenceCommand, { verb: 'scene' }>> {
  const inside = (await findPresent(tx, [conference.id])).filter(({ state }) => state === 'admitted');
  return { verb: 'scene', sceneId: row.id, name: row.name, settings: resolved(row, inside, now) };
}

/** Saves the settings of a conference under names, and restores them by one command. */
export class Scenes {
  readonly #deps: ScenesDeps;

  constructor(deps: ScenesDeps) {
    this.#deps = deps;
  }

  list(context: ControlContext, meetId: string): Promise<Scene[]> {
    const { db, control } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      await control.commanding(tx, context, meetId, 'scene');
      return (await findScenes(tx, meetId)).map(presentScene);
    });
  }

  /** Saves the current settings. Throws SCENE_NAME_TAKEN, SCENES_FULL. */
  save(context: ControlContext, meetId: string, { name, at }: { name: string; at: string | null }): Promise<Scene> {
    return this.#change(context, meetId, async (tx, { conference }) => {
      await checkName(tx, meetId, name);
      const row = {
        id: newId(),
        meetingId: meetId,
        name,
        ...(await currentSettings(tx, conference)),
        at: at === null ? null : new Date(at),
        appliedAt: null,
        createdAt: this.#deps.now(),
      };
      await insertScene(tx, row);
      return { result: presentScene({ ...row, tenantId: conference.tenantId }), name };
    });
  }

  /** Changes the name or the time, or saves the current settings again. A scene with a new time is due again. */
  update(
    context: ControlContext,
    meetId: string,
    sceneId: string,
    { name, at, again }: { name?: string | undefined; at?: string | null | undefined; again: boolean },
  ): Promise<Data<typeof contract.conferences.changeScene>> {
    return this.#change(context, meetId, async (tx, { conference }) => {
      const row = await mustFind(tx, meetId, sceneId);
      if (name !== undefined) await checkName(tx, meetId, name, sceneId);
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(at === undefined ? {} : { at: at === null ? null : new Date(at), appliedAt: null }),
        ...(again ? await currentSettings(tx, conference) : {}),
      };
      if (Object.keys(set).length > 0) await updateScene(tx, sceneId, set);
      return { result: presentScene({ ...row, ...set }), name: set.name ?? row.name };
    });
  }

  remove(context: ControlContext, meetId: string, sceneId: string): Promise<null> {
    return this.#change(context, meetId, async (tx) => {
      const { name } = await mustFind(tx, meetId, sceneId);
      await deleteScene(tx, sceneId);
      return { result: null, name };
    });
  }

  apply(context: ControlContext, meetId: string, sceneId: string): Promise<CommandAnswer> {
    const { control, now } = this.#deps;
    return control.command(context, meetId, 'scene', async ({ conference }, tx) =>
      sceneCommand(tx, conference, await mustFind(tx, meetId, sceneId), now()),
    );
  }

  /** Applies scenes that are due, in the running conferences. */
  async applyDue(running: readonly ConferenceRow[]): Promise<void> {
    const { db, push, control, now } = this.#deps;
    const at = now();
    const meetingIds = new Set(running.map(({ meetingId }) => meetingId));
    const due = await db.platform((tx) => findDueScenes(tx, new Date(at.getTime() - MAX_DELAY), at));
    for (const row of due.filter(({ meetingId }) => meetingIds.has(meetingId))) {
      await db.tenant(row.tenantId, async (tx) => {
        const conference = await findRunning(tx, row.meetingId, true);
        if (!conference || row.at === null || !(await takeDueScene(tx, row.id, row.at, at))) return;
        await control.execute(tx, conference, await sceneCommand(tx, conference, row, at), SERVER, null);
        await notifyDesks(push, tx, conference);
      });
    }
  }

  /** Changes the scenes of a meeting whose conference is running; desks are notified and the audit log records it. */
  async #change<T>(
    context: ControlContext,
    meetId: string,
    change: (tx: TenantTx, authorization: Authorization) => Promise<{ result: T; name: string }>,
  ): Promise<T> {
    const { db, push, control, now } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await control.commanding(tx, context, meetId, 'scene');
      const { conference } = authorization;
      const { result, name } = await change(tx, authorization);
      await notifyDesks(push, tx, conference);
      const meeting = await findMeeting(tx, meetId);
      await recordAudit(tx, context, now(), {
        target: { kind: 'conference', id: conference.id, name: meeting?.subject ?? '' },
        after: { scene: name },
      });
      return result;
    });
  }
}
