import { localName, type Access } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { filterTree, treeOf, type TreeNode } from '../../../lib/tree.ts';
import { Answer } from './Answer.tsx';
import { matching, ruleSentence, systemsOf, type Shown } from './view.ts';

type Menu = Access['menus'][number];

/** The menus of the apps side by side, as trees. */
export function AccessMenus({ menus, shown, keyword }: { menus: Access['menus']; shown: Shown; keyword: string }) {
  const t = useTexts('permissions');
  return (
    <section className="access-card" aria-labelledby="access-menus">
      <h2 id="access-menus">{t('access.menus')}</h2>
      <div className="access-systems">
        {systemsOf(menus).map((system) => {
          const all = menus.filter((menu) => menu.system === system);
          const passing = new Set(
            matching(all, shown, keyword, ({ name, nameEn }) => [name, nameEn]).map(({ id }) => id),
          );
          const tree = filterTree(treeOf(all), ({ id }) => passing.has(id));
          return (
            <div key={system} data-testid={`access-menus-${system}`}>
              <h3>{t(`access.system.${system}`)}</h3>
              {tree.length === 0 ? (
                <p className="access-none">{t(all.length === 0 ? 'access.noMenus' : 'access.noMatch')}</p>
              ) : (
                <Branch nodes={tree} />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Branch({ nodes }: { nodes: readonly TreeNode<Menu>[] }) {
  const t = useTexts('permissions');
  const language = useLanguage();
  return (
    <ul className="access-tree">
      {nodes.map(({ entry, children }) => (
        <li key={entry.id}>
          <div className="access-node" data-allowed={entry.allowed}>
            <span className="access-node-name">{localName(entry, language)}</span>
            <Answer allowed={entry.allowed} />
            <span className="access-rule">{ruleSentence(entry.rule, t)}</span>
          </div>
          {children.length > 0 && <Branch nodes={children} />}
        </li>
      ))}
    </ul>
  );
}
