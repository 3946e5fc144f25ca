interface Links {
  config: { url: string; watchUrl: string };
  guestUrl: string;
  type?: string;
}

/**
 * The link of an invitation (product document, section 5): the guest link of a live meeting; the watch link if
 * requested; otherwise the meeting's link with its trailing parameter set to 0. Links without a server use this page's
 * server.
 */
export function invitationLink({ config, guestUrl, type }: Links, { watch = false } = {}): string {
  const link = type === 'LIVE_MEETING' ? guestUrl : watch ? config.watchUrl : config.url.replace(/=[^=&]*$/, '=0');
  return link.startsWith('/') ? `${location.origin}${link}` : link;
}
