/** Files with these extensions are meant as images, even where the browser reports another type. */
export const IMAGE_NAME = /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|hei[cf]|avif)$/i;

/** Programs and images of disks: no reader finds a text in them. */
export const PROGRAMS = /\.(exe|dll|msi|com|sys|dmg|iso|img|bin|apk|ipa|so|dylib|o|class|jar|deb|rpm)$/i;
