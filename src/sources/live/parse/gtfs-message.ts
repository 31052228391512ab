// The few fields of a GTFS-realtime FeedMessage that vehicle positions need, read with the protobuf library's wire
// reader: no generated code, and a field that is absent stays absent (proto2 would answer EMPTY for occupancy).
// Field numbers are those of gtfs-realtime.proto; all others, extensions too, are skipped.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { FeedShapeError, MOST_ROWS } from '../../core/adapter.ts';

export interface VehicleFeed {
  version: string;
  /** Epoch seconds; undefined where absent. */
  timestamp?: number;
  /** Only what changed since an earlier message. */
  differential: boolean;
  /** Entities of any kind. */
  entities: number;
  vehicles: VehiclePosition[];
}

export interface VehiclePosition {
  id?: string;
  lat?: number;
  lng?: number;
  /** Metres a second. */
  speed?: number;
  timestamp?: number;
  occupancy_status?: number;
  occupancy_percentage?: number;
}

export function readVehicleFeed(body: Uint8Array): VehicleFeed {
  try {
    return readMessage(body);
  } catch (cause) {
    if (cause instanceof FeedShapeError) throw cause;
    throw new FeedShapeError('expected a GTFS-realtime message', { cause });
  }
}

function readMessage(body: Uint8Array): VehicleFeed {
  let header: Pick<VehicleFeed, 'version' | 'timestamp' | 'differential'> | undefined;
  const vehicles: VehiclePosition[] = [];
  let entities = 0;
  eachField(body, {
    1: [WireType.LengthDelimited, (reader) => (header = readHeader(reader.bytes()))],
    2: [
      WireType.LengthDelimited,
      (reader) => {
        entities += 1;
        if (entities > MOST_ROWS) throw new FeedShapeError(`more than ${MOST_ROWS} entities`);
        const vehicle = readEntity(reader.bytes());
        if (vehicle) vehicles.push(vehicle);
      },
    ],
  });
  // The header and its version are required: other bytes that happen to decode have none.
  if (!header?.version) throw new FeedShapeError('expected a GTFS-realtime message with a header');
  return { ...header, entities, vehicles };
}

function readHeader(bytes: Uint8Array): Pick<VehicleFeed, 'version' | 'timestamp' | 'differential'> {
  const header: ReturnType<typeof readHeader> = { version: '', differential: false };
  eachField(bytes, {
    1: [WireType.LengthDelimited, (reader) => (header.version = reader.string())],
    2: [WireType.Varint, (reader) => (header.differential = reader.int32() === 1)],
    3: [WireType.Varint, (reader) => (header.timestamp = Number(reader.uint64()))],
  });
  return header;
}

/** The vehicle of an entity; undefined for trip updates, alerts and entities that were deleted. */
function readEntity(bytes: Uint8Array): VehiclePosition | undefined {
  let vehicle: VehiclePosition | undefined;
  let id = '';
  let deleted = false;
  eachField(bytes, {
    1: [WireType.LengthDelimited, (reader) => (id = reader.string())],
    2: [WireType.Varint, (reader) => (deleted = reader.bool())],
    4: [WireType.LengthDelimited, (reader) => (vehicle = readVehicle(reader.bytes()))],
  });
  return vehicle && !deleted ? { id, ...vehicle } : undefined;
}

function readVehicle(bytes: Uint8Array): VehiclePosition {
  const vehicle: VehiclePosition = {};
  eachField(bytes, {
    2: [WireType.LengthDelimited, (reader) => readPosition(reader.bytes(), vehicle)],
    5: [WireType.Varint, (reader) => (vehicle.timestamp = Number(reader.uint64()))],
    8: [
      WireType.LengthDelimited,
      (reader) =>
        eachField(reader.bytes(), {
          1: [WireType.LengthDelimited, (inner) => (vehicle.id = inner.string())],
        }),
    ],
    9: [WireType.Varint, (reader) => (vehicle.occupancy_status = reader.int32())],
    10: [WireType.Varint, (reader) => (vehicle.occupancy_percentage = reader.uint32())],
  });
  return vehicle;
}

function readPosition(bytes: Uint8Array, vehicle: VehiclePosition): void {
  eachField(bytes, {
    1: [WireType.Bit32, (reader) => (vehicle.lat = reader.float())],
    2: [WireType.Bit32, (reader) => (vehicle.lng = reader.float())],
    5: [WireType.Bit32, (reader) => (vehicle.speed = reader.float())],
  });
}

/** Reads the fields that are known, in the wire type that they must have, and skips the others. */
function eachField(
  bytes: Uint8Array,
  known: Record<number, readonly [wire: WireType, read: (reader: BinaryReader) => unknown]>,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    const entry = known[field];
    if (entry?.[0] === wire) entry[1](reader);
    else reader.skip(wire, field);
  }
}
