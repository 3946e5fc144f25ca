import type { Client, CommandAnswer, CommandRequestInput, conferences } from '@rmeet/contract';

export type ConferenceApi = Client<typeof conferences>;

type RequestOf<V> = Extract<CommandRequestInput, { verb: V }>;

/** A command as a page sends it. The name of a scene is for the undo notice. */
export type CommandRequest<V extends CommandRequestInput['verb'] = CommandRequestInput['verb']> = V extends 'scene'
  ? RequestOf<V> & { name: string }
  : RequestOf<V>;

/**
 * Sends a command to a conference; the only function for it in room and desk. Resolves with the server's answer, null
 * for verbs that create no command. Rejects with ApiError.
 */
export function sendCommand(
  api: ConferenceApi,
  meetId: string,
  command: CommandRequest,
): Promise<CommandAnswer | null> {
  return api.command({ params: { meetId }, body: command });
}
