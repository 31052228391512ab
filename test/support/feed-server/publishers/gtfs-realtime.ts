// GTFS-realtime vehicle positions, as protobuf: around each place as many vehicles as its value says.
import { gtfsFeed } from '../../../../src/sources/live/gtfs-feed.fixture.ts';
import { around, type FeedView, type Publisher } from '../view.ts';

export const gtfsRealtime: Publisher = ({ path }, view) => {
  if (path !== 'vehicle-positions.pb') return null;
  const vehicles = view.repeatRows(listVehicles(view));
  const header = Math.floor(view.now / 1000);
  return {
    type: 'application/x-protobuf',
    body: gtfsFeed(vehicles, header),
    // Fields have numbers here, so that a change of the schema is another format.
    renameField: () => JSON.stringify({ header: { timestamp: header }, entity: vehicles }),
  };
};

function listVehicles(view: FeedView) {
  const time = view.observedTime(1);
  return view.places('gtfs-realtime.vehicles').flatMap((place) => {
    const percent = Math.round(view.value('gtfs-realtime.occupancy_share', place, time) * 100);
    const speed = view.value('gtfs-realtime.speed_kmh', place, time) / 3.6;
    return around(place, view.value('gtfs-realtime.vehicles', place, time)).map((position, n) => ({
      ...position,
      id: `${place.id}-${n}`,
      timestamp: time / 1000,
      percent,
      speed,
    }));
  });
}
