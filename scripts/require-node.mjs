/** Imported first: says plainly what is missing before anything that an older Node does not know. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Tanya needs Node 20.19 or later; this is ${process.versions.node}. See https://nodejs.org/en/download`,
  );
  process.exit(1);
}
