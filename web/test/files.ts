import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A file as Playwright's setInputFiles takes it. */
export interface File {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Draws a PNG: a gradient of a colour, with noise that no compression makes smaller if asked for. */
export function png(
  name: string,
  [red, green, blue]: [number, number, number],
  { width = 320, height = 240, noise = false } = {},
): File {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  let state = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + 3 * width) + 1 + 3 * x;
      const light = 0.4 + (0.6 * (x + y)) / (width + height);
      if (noise) state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      rows[at] = noise ? state >>> 24 : red * light;
      rows[at + 1] = noise ? (state >>> 16) & 255 : green * light;
      rows[at + 2] = noise ? (state >>> 8) & 255 : blue * light;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8); // 8 bits for each of red, green and blue
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const buffer = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: noise ? 0 : 6 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return { name, mimeType: "image/png", buffer };
}

/** The frame of an MP4, 640 × 360 and 2.5 seconds long. Its samples are no pictures. */
export const film: File = {
  name: "film.mp4",
  mimeType: "video/mp4",
  buffer: inflateSync(
    Buffer.from(
      "eNrsV8+LEzEU/uYHysoeFPawh4UdxMMKulJmuq5QRFChIooXb17ipNMZOnFCkhlsT/1z9Obda/+E/gOe9OTVokgl0y" +
        "mN1F+DeHBJ6PvSTL73vvdCCDwAB4ka80wWDHChZ1LFnbB7fAJ4fVYUFYCcVSkFgEuXw3vaAO8DsDODA/3bjO8W2+s7" +
        "+OXwAXeuBBkBeKZGteb5jeY62s5sy/MPdN0p4KR65XJGMwIgYPTHdT1dKTxKaS7WMaqMDsyY+oy6pyePr3fCW8c3o2" +
        "50P+jJWGRc3Sb5QKijztXejeaDzugLy14kAPYqVouaKV6hq70DKgaJUcJuKfJg9d95K9XzHMAnqSQ1OO9JFYc/OQa4" +
        "UydFH6itZvwubewvlwAekCq+61AcLt/BH1IcOnDTj18Xi7Z1X+RE8iY1badxkQsuiqRlnH2plDTKvADgM4AjqWS8rr" +
        "bZ85rZN3T3pJKThkcb/0CquNjcPe8V4M+Bc/raXWt8TE1tkRxy2i733TeMEtXG58lDzzdNciJGFixYONNg3wgLFiz8" +
        "qzeija/lWq7l/p/cv3kjdI9TllnLHge9kirdU0evX44nbXy/BQAA//+IdmeK",
      "base64",
    ),
  ),
};
