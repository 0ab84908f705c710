plugins {
    kotlin("jvm") version "2.4.20"
    application
}

group = "org.hibana"
version = "0.1.0"

repositories { mavenCentral() }

dependencies {
    implementation("org.jetbrains.kotlinx:kotlinx-coroutines-core:1.8.0")
}

kotlin { jvmToolchain(17) }

// The sample: gradle run
sourceSets { main { kotlin.srcDir("sample") } }
application { mainClass.set("SampleKt") }
