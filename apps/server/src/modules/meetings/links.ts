/** Links of a meeting under the address the browser sees. The last parameter says whether the link only watches. */
export function linksOf(origin: string, number: string, password: string): { config: { url: string; watchUrl: string }; guestUrl: string } {
  const query = new URLSearchParams({ number });
  if (password !== '') query.set('pwd', password);
  const guestUrl = `${origin}/#/join?${query.toString()}`;
  return { config: { url: `${guestUrl}&watch=0`, watchUrl: `${guestUrl}&watch=1` }, guestUrl };
}
