import type { ConferenceState } from '@rmeet/contract';

export type Invitation = NonNullable<ConferenceState['invitation']>;

/**
 * The link an invitation carries (product document, section 5): the trailing parameter is set to 0 unless the watch link is
 * asked for; live meetings give the guest link.
 */
export function invitationLink({ config, guestUrl }: Pick<Invitation, 'config' | 'guestUrl'>, kind: { live?: boolean; watch?: boolean } = {}): string {
  if (kind.live === true) return guestUrl;
  if (kind.watch === true) return config.watchUrl;
  return config.url.replace(/([?&][^=&#]+=)[^=&#]*$/, '$10');
}
