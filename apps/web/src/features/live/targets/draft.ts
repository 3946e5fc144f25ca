import type { BroadcastPushTarget, BroadcastPushTargetBody, PushProvider } from '@rmeet/contract';

/** A push address as it is edited. `key` is empty if the stored one stays. */
export interface TargetDraft {
  /** Of React's list. */
  row: number;
  id: string | undefined;
  name: string;
  provider: PushProvider;
  address: string;
  play: string;
  key: string;
  hasKey: boolean;
}

let rows = 0;

/** A new one, or one that is stored. */
export function draftOf(target?: BroadcastPushTarget): TargetDraft {
  rows += 1;
  const { id, name = '', provider = 'rtmp', address = '', play = '', hasKey = false } = target ?? {};
  return { row: rows, id, name, provider, address, play, key: '', hasKey };
}

/** The parts of a target that are wrong, by the text that says so. */
export interface TargetErrors {
  name?: 'nameMissing';
  address?: 'addressWrong';
  key?: 'keyMissing';
  play?: 'watchWrong';
}

/** Whether it names a server, an application and a stream. */
export const isRtmpAddress = (address: string): boolean => /^rtmps?:\/\/[^\s/]+\/[^\s/]+\/\S+$/i.test(address);

export function errorsOf({ name, provider, address, play, key, hasKey }: TargetDraft): TargetErrors {
  return {
    ...(name.trim() === '' && { name: 'nameMissing' as const }),
    ...(!isRtmpAddress(address.trim()) && { address: 'addressWrong' as const }),
    ...(provider !== 'rtmp' && key === '' && !hasKey && { key: 'keyMissing' as const }),
    ...(play.trim() !== '' && !/^(https?|rtmps?):\/\/\S+$/i.test(play.trim()) && { play: 'watchWrong' as const }),
  };
}

export function bodyOf({ id, name, provider, address, play, key }: TargetDraft): BroadcastPushTargetBody {
  return {
    ...(id !== undefined && { id }),
    ...(provider !== 'rtmp' && key !== '' && { key }),
    name: name.trim(),
    provider,
    address: address.trim(),
    play: play.trim(),
  };
}
