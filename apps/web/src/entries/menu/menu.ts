import { ENTRY_TYPES, USER_MANAGE_TYPES, type PermissionEntry } from '@rmeet/contract';
import type { RouteRole } from '../../lib/access.ts';
import { LAYOUT, MENU_PAGES, type MenuPage } from '../../lib/menuComponents.ts';
import type { System } from '../../lib/system.ts';
import { treeOf, type TreeNode } from '../../lib/tree.ts';

/** A menu entry as the app shows it: it links to a page of its own, to an external URL, or only groups its children. */
export interface MenuItem {
  id: string;
  name: string;
  nameEn: string;
  icon: string;
  group: PermissionEntry['userManageType'];
  hidden: boolean;
  /** The page's URL, or the redirecting parent's; an external URL; empty for a pure heading. */
  url: string;
  page: MenuPage | null;
  isExternal: boolean;
  redirect: string;
  children: readonly MenuItem[];
}

/** A route made from a menu entry: it shows a page or redirects. */
export interface MenuRoute {
  path: string;
  show: { page: MenuPage } | { redirect: string };
}

/** Product document, section 5. */
export function isExternal(url: string): boolean {
  return /^(https?:|mailto:|tel:)/i.test(url);
}

/**
 * The menu of one app for an account with these roles, built from the server's entries (product document, section 2).
 */
export function menuOf(
  entries: readonly PermissionEntry[],
  { system, roles }: { system: System; roles: readonly RouteRole[] },
): readonly MenuItem[] {
  const visible = entries.filter(
    (entry) =>
      entry.type !== ENTRY_TYPES.permission &&
      roles.includes(entry.isAdmin === 1 ? 'superAdmin' : 'admin') &&
      // Tenant management belongs to the manage app.
      !(system === 'user' && entry.userManageType === USER_MANAGE_TYPES.management),
  );
  // Children of removed entries are removed, too.
  const ids = new Set(visible.map(({ id }) => id));
  return itemsOf(treeOf(visible).filter(({ entry }) => entry.pid === null || ids.has(entry.pid)));
}

function itemsOf(nodes: readonly TreeNode<PermissionEntry>[]): readonly MenuItem[] {
  return nodes.flatMap(({ entry, children }) => {
    const item: MenuItem = {
      id: entry.id,
      name: entry.name,
      nameEn: entry.nameEn,
      icon: entry.icon,
      group: entry.userManageType,
      hidden: entry.hidden,
      url: entry.url,
      page: entry.component === LAYOUT ? null : (MENU_PAGES.find((page) => page === entry.component) ?? null),
      isExternal: isExternal(entry.url),
      redirect: entry.redirect.startsWith('/') ? entry.redirect : '',
      children: itemsOf(children),
    };
    const leadsSomewhere =
      item.isExternal ||
      (item.page !== null && isRoutable(item.url)) ||
      item.redirect !== '' ||
      item.children.length > 0;
    return leadsSomewhere ? [item] : [];
  });
}

/** A path of the app other than its root. */
function isRoutable(url: string): boolean {
  return /^\/[^*]/.test(url);
}

/** The routes of a menu, hidden entries included. */
export function routesOf(menu: readonly MenuItem[]): readonly MenuRoute[] {
  const routes = menu.flatMap(routesOfItem);
  const redirects = new Map(routes.flatMap(({ path, show }) => ('redirect' in show ? [[path, show.redirect]] : [])));
  // A circular redirect is left out.
  return routes.filter(({ path }) => !isCircle(path, redirects));
}

function routesOfItem(item: MenuItem): MenuRoute[] {
  const { url, page, children } = item;
  const below = children.flatMap(routesOfItem);
  if (item.isExternal || !isRoutable(url)) return below;
  const redirect = item.redirect === url ? '' : item.redirect;
  if (page === null) {
    const target = redirect || firstPageOf(children);
    return target ? [{ path: url, show: { redirect: target } }, ...below] : below;
  }
  // The parent shows its child `index`, unless it redirects elsewhere.
  const child = `${url}/index`;
  const parent: MenuRoute = { path: url, show: redirect && redirect !== child ? { redirect } : { page } };
  return [parent, { path: child, show: { page } }, ...below];
}

function isCircle(start: string, redirects: ReadonlyMap<string, string>): boolean {
  const seen = new Set<string>();
  for (let path: string | undefined = start; path !== undefined; path = redirects.get(path)) {
    if (seen.has(path)) return true;
    seen.add(path);
  }
  return false;
}

/** The path of the first page that is not hidden; undefined if there is none. */
export function firstPageOf(menu: readonly MenuItem[]): string | undefined {
  for (const item of menu) {
    if (item.hidden) continue;
    if (item.page !== null && isRoutable(item.url)) return item.url;
    const below = firstPageOf(item.children);
    if (below !== undefined) return below;
  }
  return undefined;
}
