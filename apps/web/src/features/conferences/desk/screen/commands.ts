import type { Banner, BannerInput, ConferenceCommand } from '@rmeet/conference';
import type { Client, CommandAnswer, contract } from '@rmeet/contract';

/** Commands about what is shown where. */
export type ScreenCommand = Extract<
  ConferenceCommand,
  { verb: 'layout' | 'seats' | 'terminalLayout' | 'window' | 'contentLock' | 'dualStream' | 'banner' }
>;

const RZ = { res: 'rz' };

/** Sends a command about what is shown by its route; see sendCommand. */
export async function sendScreenCommand(
  api: Client<typeof contract.conferences>,
  meetId: string,
  command: ScreenCommand,
): Promise<CommandAnswer> {
  switch (command.verb) {
    case 'layout': {
      const { model: screenModel, places, pollingSeat, allowOwnLayout } = command;
      const polling = pollingSeat === undefined ? {} : { polling: pollingSeat ?? 0 };
      return api.setLayout({
        params: RZ,
        body: { meetId, screenModel, places, ...polling, ...(allowOwnLayout === undefined ? {} : { allowOwnLayout }) },
      });
    }
    case 'seats':
      return api.setScreen({ params: RZ, body: { meetId, target: command.termId ?? 'ALL', seats: command.seats } });
    case 'terminalLayout': {
      const { termId, layout } = command;
      if (layout === null) return api.stopTerminalLayoutConfig({ params: RZ, body: { meetId, termId } });
      return api.setTerminalLayoutConfig({
        params: RZ,
        body: { meetId, termId, screenModel: layout.model, places: layout.places, seats: layout.seats },
      });
    }
    case 'window':
      return api.setChatLayout({ params: RZ, body: { meetId, position: command.position } });
    case 'contentLock':
      return api.lockConfContent({
        params: RZ,
        query:
          command.termId === null ? { meetId, action: 'UNLOCK' } : { meetId, termId: command.termId, action: 'LOCK' },
      });
    case 'dualStream':
      return api.setDualStream({ query: { meetId, termId: command.termId, open: command.open } });
    case 'banner': {
      const { termId, banner } = command;
      const body = inputOf(banner);
      return termId === null
        ? api.setConfCaptions({ params: RZ, query: { meetId }, body })
        : api.setTermCaptions({ params: RZ, query: { meetId, termId }, body });
    }
  }
}

/** What a desk asks for to have such captions; the server counts their time from its own now. */
function inputOf(banner: Banner | null): Partial<BannerInput> {
  if (banner === null) return { text: '' };
  const { since, until, ...form } = banner;
  return {
    ...form,
    seconds: until === null ? 0 : Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / 1_000)),
  };
}
