import { ActionButton } from '../components/ActionButton.tsx';
import { useDesk, useRights, useView } from '../context.ts';
import { useT } from '../texts.tsx';

/** What helps the user of the desk: sound, links, rights, topology, keys. `bare`: without visible labels. */
export function DeskTools({ bare = false }: { bare?: boolean }) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  return (
    <>
      <Listen bare={bare} />
      {!desk.byLink && (
        <ActionButton
          bare={bare}
          icon="link"
          label={t('links.title')}
          data-testid="desk-open-links"
          onAction={() => desk.view.set({ dialog: 'links' })}
        />
      )}
      {!desk.byLink && rights.may('grant') && (
        <ActionButton
          bare={bare}
          icon="grant"
          label={t('grants.title')}
          data-testid="desk-open-grants"
          onAction={() => desk.view.set({ dialog: 'grants' })}
        />
      )}
      <ActionButton
        bare={bare}
        icon="topology"
        label={t('topology.title')}
        data-testid="desk-open-topology"
        onAction={() => desk.view.set({ dialog: 'topology' })}
      />
      <ActionButton
        bare={bare}
        icon="keyboard"
        label={t('keys.title')}
        data-testid="desk-open-help"
        onAction={() => desk.view.set({ dialog: 'help' })}
      />
    </>
  );
}

function Listen({ bare }: { bare: boolean }) {
  const t = useT();
  const desk = useDesk();
  const hears = useView((view) => view.hears);
  const listen = () => {
    desk.watch.listen(!hears);
    desk.view.set({ hears: !hears });
  };
  return (
    <ActionButton
      bare={bare}
      icon={hears ? 'hear' : 'hearOff'}
      label={t(hears ? 'header.listening' : 'header.listen')}
      on={hears}
      data-testid="desk-listen"
      onAction={listen}
    />
  );
}
