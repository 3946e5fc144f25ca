import type { Building } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { BuildingDrawer } from './BuildingDrawer.tsx';
import { useBuildings } from './queries.ts';
import { useRoomActions } from './useRoomActions.ts';

/** The tenant's buildings: add, change and delete. */
export function BuildingsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts('rooms');
  const buildings = useBuildings();
  const editing = useDrawer<Building | null>();

  const content = () => {
    if (!buildings.data) return buildings.isError ? <ErrorState retry={() => void buildings.refetch()} /> : <Loading />;
    if (buildings.data.length === 0)
      return <EmptyState picture="list" title={t('building.empty')} hint={t('building.emptyHint')} />;
    return (
      <ul className="buildings" aria-label={t('building.list')}>
        {buildings.data.map((building) => (
          <BuildingRow key={building.id} building={building} onEdit={editing.show} />
        ))}
      </ul>
    );
  };

  return (
    <>
      <SideDrawer title={t('building.title')} open={open} onClose={onClose} testId="buildings-drawer">
        <div className="buildings-bar">
          <p>{t('building.hint')}</p>
          <Button kind="primary" data-testid="building-new" onClick={() => editing.show(null)}>
            <Icon name="plus" />
            {t('building.new')}
          </Button>
        </div>
        {content()}
      </SideDrawer>
      {editing.last && (
        <BuildingDrawer
          key={editing.last.opening}
          building={editing.last.value}
          open={editing.open}
          onClose={editing.hide}
        />
      )}
    </>
  );
}

function BuildingRow({ building, onEdit }: { building: Building; onEdit: (building: Building) => void }) {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const { removeBuilding } = useRoomActions();
  return (
    <li data-testid="building-row">
      <div>
        <strong>{building.name}</strong>
        {building.address !== '' && <p>{building.address}</p>}
        <p>{[building.timeZone, t('building.rooms', { count: building.roomCount })].join(' · ')}</p>
      </div>
      {/* Both buttons are always visible: after a menu inside a drawer, the first Escape would go to the closed
          menu. */}
      <RowActions
        name={building.name}
        actions={[{ key: 'edit', label: admin('action.edit'), run: () => onEdit(building) }]}
      />
      <RowActions
        name={building.name}
        actions={[
          {
            key: 'remove',
            label: admin('action.delete'),
            danger: true,
            run: () => void removeBuilding(building),
          },
        ]}
      />
    </li>
  );
}
