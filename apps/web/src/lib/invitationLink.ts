interface Links {
  config: { url: string; watchUrl: string };
  guestUrl: string;
  type?: string;
}

/**
 * The link an invitation carries (product document, section 5): the guest link of a live meeting; the watch link when
 * it is asked for; else the meeting's link with its trailing parameter set to 0. Links that name no server are of this
 * page's.
 */
export function invitationLink({ config, guestUrl, type }: Links, { watch = false } = {}): string {
  const link = type === 'LIVE_MEETING' ? guestUrl : watch ? config.watchUrl : config.url.replace(/=[^=&]*$/, '=0');
  return link.startsWith('/') ? `${location.origin}${link}` : link;
}
