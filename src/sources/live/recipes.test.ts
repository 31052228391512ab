// Every recipe of docs/sources.md reads a small sample of its feed, with the traps that the feed is known for.
import { type Sample, testRecipes } from './recipes.fixture.ts';

const nwsQuantity = (value: number | null, unitCode: string) => ({ value, unitCode, qualityControl: 'V' });
const sensor = (value_type: string, value: string) => ({ value_type, value, id: 1 });
const dock = (key: string, value: string) => ({ key, value, modified: '2026-06-10T09:50:00.037Z' });

const samples: Record<string, Sample> = {
  'melbourne-pedestrians': {
    body: {
      total_count: 101,
      results: [
        { location_id: 2, sensing_datetime: '2026-06-10T19:40:00+10:00', total_of_directions: 3 },
        { location_id: 2, sensing_datetime: '2026-06-10T19:40:00+10:00', total_of_directions: 3 },
        { location_id: 3, sensing_datetime: null, total_of_directions: 1 },
      ],
    },
    read: ['2 people_per_minute 3 2026-06-10T09:40'],
    faults: { duplicate: 1, bad_time: 1 },
    next: 'offset=100&order_by=sensing_datetime+desc',
  },
  'melbourne-hourly': {
    body: 'id,date_time,time,sensor_id,hourly_counts\n1,5/2/2019,8,1,"1,105"\n2,5/2/2019,23,2,\n',
    // 08:00 in Melbourne is 22:00 of the day before in UTC; the hour was over at 23:00.
    read: ['1 people_per_hour 1105 2019-05-01T23:00'],
    faults: { no_data: 1 },
  },
  'tfl-crowding': {
    body: { dataAvailable: true, percentageOfBaseline: 0.45, timeUtc: '2026-06-10T09:55:00.000Z' },
    read: ['940GZZLUBNK share_of_busiest 0.45 2026-06-10T09:55'],
  },
  'tfl-bikes': {
    body: [
      {
        id: 'BikePoints_1',
        lat: 51.529163,
        lon: -0.10997,
        additionalProperties: [
          dock('TerminalName', '001023'),
          dock('NbBikes', '11'),
          dock('NbEmptyDocks', '7'),
        ],
      },
    ],
    read: ['BikePoints_1 bikes 11 2026-06-10T09:50', 'BikePoints_1 empty_docks 7 2026-06-10T09:50'],
  },
  'openaq-pm25': {
    body: {
      meta: { found: '>1000', limit: 1000 },
      results: [
        {
          datetime: { utc: '2026-06-10T09:00:00Z' },
          value: 8.1,
          coordinates: { latitude: 51.9, longitude: 7.6 },
          locationsId: 1,
        },
        {
          datetime: { utc: '2026-06-10T09:00:00+00:00' },
          value: -1,
          coordinates: { latitude: 51.9, longitude: 7.6 },
          locationsId: 2,
        },
        {
          datetime: { utc: '2026-06-10T09:00:00Z' },
          value: 5,
          coordinates: { latitude: 44, longitude: -121 },
          locationsId: 3,
        },
      ],
    },
    read: ['1 pm25_ug_m3 8.1 2026-06-10T09:00'],
    faults: { no_data: 1 },
  },
  'sensor-community': {
    body: [
      {
        timestamp: '2026-06-10 09:57:25',
        location: { id: 1677, indoor: 0, latitude: '51.961', longitude: '7.631' },
        sensordatavalues: [sensor('P1', '3.67'), sensor('P2', '2.70'), sensor('humidity', 'nan')],
      },
      {
        timestamp: '2026-06-10 09:57:25',
        location: { id: 9, indoor: 1, latitude: '51.961', longitude: '7.631' },
        sensordatavalues: [sensor('P2', '80')],
      },
      {
        timestamp: null,
        location: { id: 10, indoor: 0, latitude: '51.961', longitude: '7.631' },
        sensordatavalues: [sensor('P2', '4'), sensor('P1', '1999.9')],
      },
    ],
    read: ['1677 pm10_ug_m3 3.67 2026-06-10T09:57', '1677 pm25_ug_m3 2.7 2026-06-10T09:57'],
    faults: { no_data: 2, bad_time: 1 },
  },
  'nws-observations': {
    point: { lat: 26.1, lng: -80.1 },
    body: {
      features: [
        {
          geometry: { type: 'Point', coordinates: [-80.15, 26.07] },
          properties: {
            timestamp: '2026-06-10T09:53:00+00:00',
            temperature: nwsQuantity(22.5, 'wmoUnit:degC'),
            relativeHumidity: nwsQuantity(null, 'wmoUnit:percent'),
            windSpeed: nwsQuantity(5, 'unit:m_s-1'),
            precipitationLastHour: nwsQuantity(0.002, 'unit:m'),
          },
        },
        {
          geometry: { type: 'Point', coordinates: [-80.15, 26.07] },
          properties: {
            timestamp: '2026-06-10T08:53:00+00:00',
            windSpeed: nwsQuantity(5, 'wmoUnit:furlong'),
          },
        },
      ],
    },
    read: [
      'KFLL temperature_c 22.5 2026-06-10T09:53',
      'KFLL wind_kmh 18 2026-06-10T09:53',
      'KFLL rain_mm_hour 2 2026-06-10T09:53',
    ],
    faults: { no_data: 4, bad_value: 1 },
  },
  'bright-sky': {
    body: {
      weather: {
        timestamp: '2026-06-10T09:50:00+00:00',
        temperature: 16.8,
        relative_humidity: null,
        precipitation_10: 0,
        wind_speed_10: 9.4,
      },
    },
    read: [
      'centre temperature_c 16.8 2026-06-10T09:50',
      'centre rain_mm_10min 0 2026-06-10T09:50',
      'centre wind_kmh 9.4 2026-06-10T09:50',
    ],
    faults: { no_data: 1 },
  },
  'met-norway': {
    body: {
      properties: {
        timeseries: [
          {
            time: '2026-06-10T10:00:00Z',
            data: {
              instant: { details: { air_temperature: 20.7, relative_humidity: 48.6, wind_speed: 2.5 } },
            },
          },
        ],
      },
    },
    read: [
      'centre temperature_c 20.7 2026-06-10T10:00',
      'centre humidity_pct 48.6 2026-06-10T10:00',
      'centre wind_kmh 9 2026-06-10T10:00',
    ],
  },
  bike_counter: {
    body: 'Datetime,100031297 (Promenade (nördl. Salzstraße)),101031297 (Promenade FR Mauritztor),100031297-status\n2026-06-10 10:00,103,50,0\n2026-06-10 10:15,,,0\n2026-06-01 10:15,9,9,0\n',
    read: ['100031297 bikes_15min 103 2026-06-10T08:15'],
    faults: { no_data: 1 },
  },
  parking: {
    body: '"Datum und Uhrzeit","PH Theater","PP Hörsterplatz","PH Aegidii"\n"Anzahl Parkplätze gesamt","(743)","(202)","(750)"\n"2026-06-10 11:45","ges",659,"bes"\n"2026-06-10 12:00",12,"kei",0\n',
    read: [
      'ph-theater free_spaces closed 2026-06-10T09:45',
      'pp-hoersterplatz free_spaces 659 2026-06-10T09:45',
      'ph-aegidii free_spaces full 2026-06-10T09:45',
      'ph-theater free_spaces 12 2026-06-10T10:00',
      'pp-hoersterplatz free_spaces no_data 2026-06-10T10:00',
      'ph-aegidii free_spaces 0 2026-06-10T10:00',
    ],
  },
  'arcgis-parking': {
    body: {
      exceededTransferLimit: true,
      features: [
        { attributes: { SITE_ID: 'P1', FREE: 12, UPDATED: 1781085600000 }, geometry: { x: 7.62, y: 51.96 } },
        {
          attributes: { SITE_ID: 'P2', FREE: -999, UPDATED: 1781085600000 },
          geometry: { x: 7.62, y: 51.96 },
        },
      ],
    },
    read: ['P1 free_spaces 12 2026-06-10T10:00'],
    faults: { no_data: 1 },
    next: 'resultOffset=1000&resultRecordCount=1000&f=json',
  },
  vlille: {
    point: { lat: 50.63, lng: 3.06 },
    body: {
      nhits: 2,
      records: [
        {
          fields: {
            etat: 'EN SERVICE',
            nbvelosdispo: 14,
            nbplacesdispo: 18,
            libelle: 8,
            datemiseajour: '2026-06-10T11:31:09+02:00',
            localisation: [50.632366, 3.062313],
          },
        },
        {
          fields: {
            etat: 'RÉFORMÉ',
            nbvelosdispo: 0,
            nbplacesdispo: 0,
            libelle: 9,
            datemiseajour: '2026-06-10T11:31:09+02:00',
            localisation: [50.632366, 3.062313],
          },
        },
      ],
    },
    read: [
      '8 bikes 14 2026-06-10T09:31',
      '8 empty_docks 18 2026-06-10T09:31',
      '9 bikes closed 2026-06-10T09:31',
      '9 empty_docks closed 2026-06-10T09:31',
    ],
  },
  'eco-visio': {
    body: [
      ['09/06/2026', '5020'],
      ['10/06/2026', null],
    ],
    read: ['100125116 bikes_day 5020 2026-06-09T22:00'],
    faults: { no_data: 1 },
  },
  waqi: {
    body: {
      status: 'ok',
      data: {
        aqi: '-',
        idx: 4584,
        city: { geo: [52.105, 5.124] },
        iaqi: { h: { v: 80 }, t: { v: 16 } },
        time: { iso: '2026-06-10T11:00:00+02:00' },
      },
    },
    read: ['4584 humidity_pct 80 2026-06-10T09:00', '4584 temperature_c 16 2026-06-10T09:00'],
    faults: { no_data: 1 },
  },
};

testRecipes('docs/sources.md', samples);
