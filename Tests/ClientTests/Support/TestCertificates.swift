/// Certificates for the tests: those of `authority` hold for a hundred years, or not, by their names.
enum TestCertificates {
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAU2gAwIBAgIUH89g7jEL7XOYrP60rgFLz/nHpIwwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVVHJlbmR5IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyNzE4MTU0
        NFoYDzIxMjYxMTAzMTgxNTQ0WjAgMR4wHAYDVQQDDBVUcmVuZHkgdGVzdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARLH6RRaKNESwfk0RDMGtKe
        pe7dIoW95XXk2zljG9PJhcqg8buz3kktDg4fjoqqw0gNJBd7AOAGSeneaVaww8oi
        o2MwYTAdBgNVHQ4EFgQU3oTZZ59N9HlErYSW103C+1NOg9MwHwYDVR0jBBgwFoAU
        3oTZZ59N9HlErYSW103C+1NOg9MwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
        BAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIhAOCzrQCqaYRK1VnnwN05+mzRwlZyo9MH
        Ttr6lvqKEyyTAiAtqQ4tYwCzgiRqS9D0CKbJYH2RzR/7jBJ81D/UEBZb/Q==
        -----END CERTIFICATE-----
        """

    static let good = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASSgAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
        MA8xDTALBgNVBAMMBGdvb2QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARa1kAE
        b5DAcC05kx+wg5CMsERyLDbNKKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk2blS
        4M5PP0Z7sOt97a5ao14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYD
        VR0OBBYEFLEhFHw2kLDAAZko4mr3FtQz1fTlMB8GA1UdIwQYMBaAFN6E2WefTfR5
        RK2EltdNwvtTToPTMAoGCCqGSM49BAMCA0gAMEUCIA8WsLnBSAJrxO7Fa6ewWPXF
        DEmhO1T3K1GC2bIYm8rQAiEAkiKsL8wCHZiliPXcgZZxjmLVn6mZ5eQUQxVAdQtO
        CmQ=
        -----END CERTIFICATE-----
        """

    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASWgAwIBAgIBAjAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAS
        MRAwDgYDVQQDDAdleHBpcmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNeMFwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0G
        A1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X05TAfBgNVHSMEGDAWgBTehNlnn030
        eUSthJbXTcL7U06D0zAKBggqhkjOPQQDAgNJADBGAiEAtrBIY6sc1aNGXhAc88AS
        94COjCNn7kBeMwXW+Q5yMJUCIQCdhUvXOk2UCaVHaEaoOaodHlWGJQC8WZfcPTck
        gFsePQ==
        -----END CERTIFICATE-----
        """

    static let early = """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASegAwIBAgIBAzAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIhgPMjExOTAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
        MFowEDEOMAwGA1UEAwwFZWFybHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARa
        1kAEb5DAcC05kx+wg5CMsERyLDbNKKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk
        2blS4M5PP0Z7sOt97a5ao14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEw
        HQYDVR0OBBYEFLEhFHw2kLDAAZko4mr3FtQz1fTlMB8GA1UdIwQYMBaAFN6E2Wef
        TfR5RK2EltdNwvtTToPTMAoGCCqGSM49BAMCA0cAMEQCIBck/a0x2xpMwboWFdIZ
        xmqhgRHGBRxGjmD30FK7HaMEAiA4RCodRiDIUGoLlQ1MuHyv2CO5uzkRg/iaZ9Gz
        NGTOmw==
        -----END CERTIFICATE-----
        """

    static let otherHost = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASOgAwIBAgIBBDAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
        MBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNcMFowGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAdBgNV
        HQ4EFgQUsSEUfDaQsMABmSjiavcW1DPV9OUwHwYDVR0jBBgwFoAU3oTZZ59N9HlE
        rYSW103C+1NOg9MwCgYIKoZIzj0EAwIDSQAwRgIhAL+o3eg84gUan4WepcBth6lA
        wHibmZb07/8AbZ/nK0MJAiEApnwPm/fHRzkCk+zTtJ9zNQMMrLZZJ2gaO6FQgIBH
        uRA=
        -----END CERTIFICATE-----
        """

    static let selfSigned = """
        -----BEGIN CERTIFICATE-----
        MIIBkjCCATegAwIBAgIUdg0BFNhXkfmb3hJHKcuYzNxc7pYwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEc2VsZjAgFw0yNjExMjcxODE1NDVaGA8yMTI2MTEwMzE4MTU0
        NVowDzENMAsGA1UEAwwEc2VsZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFrW
        QARvkMBwLTmTH7CDkIywRHIsNs0orHNoDXt4l7tp3TmLOL5CVa8IUjprklcZJWTZ
        uVLgzk8/Rnuw633trlqjbzBtMB0GA1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X0
        5TAfBgNVHSMEGDAWgBSxIRR8NpCwwAGZKOJq9xbUM9X05TAPBgNVHRMBAf8EBTAD
        AQH/MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNJADBG
        AiEAlnzt/kz5ZVOxazIqqSYiGxfEu3h1bDAFnmHZ/CuIpS0CIQCjk01WCXXVK/63
        ke21UqVZ9rrap7+dJItdaO00XTgwhg==
        -----END CERTIFICATE-----
        """

    /// An authority whose time is over since 2021-01-01.
    static let expiredAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATagAwIBAgIBCjAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRUcmVuZHkg
        b2xkIGF1dGhvcml0eTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMB8x
        HTAbBgNVBAMMFFRyZW5keSBvbGQgYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEeFJiz2LHK9ULwIfH9J/pXg77sG/ZoN3BEOi7CqJAKkMaYlCT9oEf
        a93h7rEeAFh1TzPnvAMtokV3kBxsasEaMKNjMGEwHQYDVR0OBBYEFHwiXsz+rHxu
        +LRgSW65H1kPivO5MB8GA1UdIwQYMBaAFHwiXsz+rHxu+LRgSW65H1kPivO5MA8G
        A1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49BAMCA0cAMEQC
        ICHPBunsg+i45YE1hs1QA0UYyA7AWREV4C3RI9xCUaOzAiAqIhWvRl/jLDi8Quzh
        BkcLEsnuKlOAeWckHZ5EAdMmIg==
        -----END CERTIFICATE-----
        """

    /// A certificate in order, of the authority whose time is over.
    static let ofExpiredAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBfzCCASWgAwIBAgIBCzAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRUcmVuZHkg
        b2xkIGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFow
        ETEPMA0GA1UEAwwGb3JwaGFuMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNeMFwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0G
        A1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X05TAfBgNVHSMEGDAWgBR8Il7M/qx8
        bvi0YEluuR9ZD4rzuTAKBggqhkjOPQQDAgNIADBFAiEAvYb6yJCQNmvtZogBxUbD
        jxAsl2j78oAEf8j45Nf9EhoCICe7KIEZlT3WOGCTlLQBw99KYIPdJ/SnNKcKUJ20
        mjSJ
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRNB/EnkOPUBcWUMY
        q7sl3SxeQufQTnsm0lyHB1XbD/WhRANCAARa1kAEb5DAcC05kx+wg5CMsERyLDbN
        KKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk2blS4M5PP0Z7sOt97a5a
        -----END PRIVATE KEY-----
        """
}
